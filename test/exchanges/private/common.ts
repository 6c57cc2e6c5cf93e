import * as Decimal from "../../../src/domain/Decimal.ts"
import type { RestRequest, StubMarket } from "../Protocol.ts"
import type { Desk } from "./Desk.ts"
import { refuse } from "./Flaw.ts"
import type { Fill, Order } from "./Order.ts"
import type { Credentials, Kind } from "./Private.ts"

export const text = Decimal.toText

/** `0` where there is none. */
export const orZero = (value: Decimal.Decimal | undefined): string => text(value ?? Decimal.zero)

export const empty = (value: Decimal.Decimal | undefined): string => (value === undefined ? "" : text(value))

export const marketOf = (desk: Desk, is: (market: StubMarket) => boolean): StubMarket =>
  desk.board.markets.find(is) ?? refuse("unknown_market")

/** The order that a request names by its own id or, failing that, by the client's; only one that can be seen. */
export const orderOf = (
  desk: Desk,
  id: string | undefined,
  clientId: string | undefined
): Order | undefined =>
  id !== undefined
    ? desk.book.byId(id)
    : clientId !== undefined
      ? desk.book.byClientId(clientId)
      : refuse("bad_request")

/** A stop that went off is another order from then on: with an id of its own, and without the client's. */
export const childIdOf = ({ id }: Order): string => `9${id}`

/** The order that has that id of its own since it went off. */
export const childOf = ({ book }: Desk, id: string | undefined): Order | undefined =>
  book.visible.find((order) => order.wentOff && childIdOf(order) === id)

export const isOpen = ({ status }: Order): boolean => status === "open" || status === "waiting"
export const isDone = (order: Order): boolean => order.isDone
export const isOf =
  (market: StubMarket | undefined) =>
  ({ ticket }: Order): boolean =>
    market === undefined || ticket.market === market
export const isFillOf =
  (market: StubMarket | undefined) =>
  ({ order }: Fill): boolean =>
    isOf(market)(order)

/** Whether a number is lower than the one that a page starts after, where one is named. */
export const isBelow = (id: string | number, before: string | undefined): boolean =>
  before === undefined || BigInt(id) < BigInt(before)

/**
 * A page of rows, newest first: those below an id where one is named, and never more than the exchange gives at once.
 */
export const pageBelow = <A extends { readonly id: string }>(
  rows: ReadonlyArray<A>,
  before: string | undefined,
  limit = 100,
  most = 100
): ReadonlyArray<A> => rows.filter(({ id }) => isBelow(id, before)).slice(0, Math.min(limit, most))

/** A page of rows from a cursor on, which is how many came before it; with the next one, where more are left. */
export const pageFrom = <A>(
  rows: ReadonlyArray<A>,
  cursor: string | undefined,
  limit: number,
  most: number
): { readonly rows: ReadonlyArray<A>; readonly next: string | undefined } => {
  const start = Number(cursor ?? 0)
  const end = start + Math.min(limit, most)
  return { rows: rows.slice(start, end), next: end < rows.length ? String(end) : undefined }
}

/** `GET /api/v3/order` to its kind. */
export const kindsOf =
  (kinds: Readonly<Record<string, Kind>>) =>
  ({ method, path }: RestRequest): Kind | undefined =>
    kinds[`${method} ${path}`]

/** Whether a header says that. */
export const says = ({ headers }: RestRequest, name: string, value: string): boolean =>
  headers.get(name) === value

/** Keys that no exchange would give. */
export const key = (name: string, password?: string): Credentials => ({
  apiKey: `${name}-stub-key`,
  secret: Buffer.from(`${name} stub secret`).toString("base64"),
  ...(password === undefined ? {} : { password })
})
