// The points at which the server is killed with -9: of an order's life, of parts, of added entries, and of both legs of a
// turn.
import type { MarketKind } from "../../../src/domain/Market.ts"
import type { Call } from "../../exchanges/private/Desk.ts"
import type { Coin } from "./Venue.ts"

/** A place in an order's life where the server is killed. */
export interface Point {
  readonly title: string
  readonly coin: Coin
  /** The request at which the server is killed. */
  readonly kind: Call["kind"]
  /** The number of the request among its kind, counted from when the trader is ready. */
  readonly nth: number
  /** The request is held before it acts, or before its answer, or is answered at the moment of the kill. */
  readonly held: "before" | "after" | "answered"
  /** Whether there is a position before, with a stop at the exchange if it is protected. */
  readonly isOpen?: boolean
  readonly isProtected?: boolean
  /** The amount that can be traded before the kill; the rest trades while the server is down. */
  readonly supply?: string
  /** The market; spot by default. */
  readonly market?: MarketKind
  /** The alert, its further fields, and settings beside those of all points. */
  readonly alert: "buy" | "sell" | "short"
  readonly extras?: object
  readonly settings?: object
}

const PART = { alert: "sell", extras: { close_percent: 50 }, isOpen: true, isProtected: true } as const
const ADDED = { alert: "buy", settings: { max_entries: 2 }, isOpen: true, isProtected: true } as const
const TURN = { alert: "short", extras: { reverse: true }, market: "swap", isOpen: true } as const

export const POINTS: ReadonlyArray<Point> = [
  { title: "intent, not sent", coin: "BTC", kind: "place", nth: 1, held: "before", alert: "buy" },
  { title: "sent, not answered", coin: "ETH", kind: "place", nth: 1, held: "after", alert: "buy" },
  { title: "answered, not stored", coin: "SOL", kind: "place", nth: 1, held: "answered", alert: "buy" },
  {
    ...{ title: "between partial fills", coin: "LTC", kind: "place", nth: 1, held: "answered" },
    ...{ alert: "buy", supply: "1" }
  },
  {
    ...{ title: "exit sent, not answered", coin: "LINK", kind: "place", nth: 1, held: "after" },
    ...{ alert: "sell", isOpen: true }
  },
  {
    ...{ title: "exit done, not stored", coin: "AVAX", kind: "place", nth: 1, held: "answered" },
    ...{ alert: "sell", isOpen: true }
  },
  {
    ...{ title: "stop, not placed", coin: "DOT", kind: "place", nth: 2, held: "before" },
    ...{ alert: "buy", isProtected: true }
  },
  {
    ...{ title: "stop placed, not answered", coin: "BCH", kind: "place", nth: 2, held: "after" },
    ...{ alert: "buy", isProtected: true }
  },
  {
    ...{ title: "stop, not taken back", coin: "AAVE", kind: "cancel", nth: 1, held: "before" },
    ...{ alert: "sell", isOpen: true, isProtected: true }
  },
  {
    ...{ title: "stop taken back, not answered", coin: "UNI", kind: "cancel", nth: 1, held: "after" },
    ...{ alert: "sell", isOpen: true, isProtected: true }
  },
  { ...PART, title: "part sent, not answered", coin: "XRP", kind: "place", nth: 1, held: "after" },
  { ...PART, title: "part done, not stored", coin: "SUI", kind: "place", nth: 1, held: "answered" },
  {
    ...PART,
    title: "stop made way for a part, not answered",
    coin: "AAVE",
    kind: "cancel",
    nth: 1,
    held: "after"
  },
  { ...ADDED, title: "added entry sent, not answered", coin: "ETC", kind: "place", nth: 1, held: "after" },
  { ...ADDED, title: "added entry done, not stored", coin: "BTC", kind: "place", nth: 1, held: "answered" },
  { ...ADDED, title: "stop to grow, not answered", coin: "ETH", kind: "cancel", nth: 1, held: "after" },
  { ...TURN, title: "turn, closing order not sent", coin: "BTC", kind: "place", nth: 1, held: "before" },
  { ...TURN, title: "turn, closing order not answered", coin: "ETH", kind: "place", nth: 1, held: "after" },
  { ...TURN, title: "turn, closed and not stored", coin: "SOL", kind: "place", nth: 1, held: "answered" },
  { ...TURN, title: "turn, entry not sent", coin: "XRP", kind: "place", nth: 2, held: "before" },
  { ...TURN, title: "turn, entry not answered", coin: "ADA", kind: "place", nth: 2, held: "after" },
  {
    ...TURN,
    title: "turn, entry done and not stored",
    coin: "LINK",
    kind: "place",
    nth: 2,
    held: "answered"
  },
  {
    ...{ ...TURN, title: "turn, stop made way, not answered", coin: "AVAX", kind: "cancel", nth: 1 },
    ...{ held: "after", isProtected: true }
  }
]
