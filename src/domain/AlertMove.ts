import * as Either from "effect/Either"
import type { AlertType } from "./Alert.ts"
import { first, type Names } from "./AlertNames.ts"
import { unfilled } from "./Placeholder.ts"
import { type Violation, violation } from "./Violations.ts"

/** What a strategy of the charting platform holds. */
type Holding = "long" | "short" | "flat"

/** What such a strategy held before its order and holds after it, as far as the alert says it. */
export interface Move {
  readonly before: Holding | undefined
  readonly after: Holding | undefined
  /** Whether it holds less than before, on the same side. */
  readonly isPart: boolean
  /** The name that told it. */
  readonly name: string
}

/** An alert's type, what told it, and what its sender should know. */
export interface Act {
  readonly type: AlertType
  readonly from: string
  readonly warning?: string
}

const AFTER = ["market_position", "current_position", "sentiment"] as const
const BEFORE = ["prev_market_position", "prev_position", "previous_position"] as const
const SIZE = ["market_position_size", "position_size"] as const
const SIZE_BEFORE = ["prev_market_position_size", "prev_position_size"] as const

/** The move that the fields tell of; nothing where they tell of none. */
export const read = (names: Names): Either.Either<Move | undefined, Violation> => {
  const [after, before] = [first(names, AFTER), first(names, BEFORE)]
  if (after === undefined && before === undefined) return Either.right(undefined)
  for (const named of [after, before]) {
    if (named === undefined || holdingOf(named.value) !== undefined) continue
    const text = typeof named.value === "string" ? unfilled(named.value) : undefined
    return Either.left(violation(named.name, text ?? "must be long, short or flat"))
  }
  const [size, sizeBefore] = [sizeOf(first(names, SIZE)?.value), sizeOf(first(names, SIZE_BEFORE)?.value)]
  return Either.right({
    after: holdingOf(after?.value),
    before: holdingOf(before?.value),
    isPart: size !== undefined && sizeBefore !== undefined && size < sizeBefore,
    name: after?.name ?? before?.name ?? ""
  })
}

const HOLDINGS: ReadonlyMap<string, Holding> = new Map([
  ["long", "long"],
  ["bullish", "long"],
  ["short", "short"],
  ["bearish", "short"],
  ["flat", "flat"]
])
const holdingOf = (value: unknown): Holding | undefined =>
  typeof value === "string" ? HOLDINGS.get(value.trim().toLowerCase()) : undefined

const sizeOf = (value: unknown): number | undefined => {
  const size = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  return typeof size === "number" && Number.isFinite(size) ? Math.abs(size) : undefined
}

/** What a move comes to, whatever market it is on. A turn closes one side and opens the other. */
type Step =
  | "open_long"
  | "open_short"
  | "close_long"
  | "close_short"
  | "turn_short"
  | "turn_long"
  | "part"
  | "nothing"
  | "unclear"

/** The type of a move by an order to buy or sell, on spot or on a perpetual; what its sender must change where there is none. */
export const typeOf = (
  move: Move,
  order: "buy" | "sell" | undefined,
  isPerpetual: boolean
): Either.Either<Act, Violation> => {
  const meaning = (isPerpetual ? PERPETUAL : SPOT)[stepOf(move, order, isPerpetual)]
  return "type" in meaning
    ? Either.right({ from: move.name, ...meaning })
    : Either.left(violation(move.name, meaning.text))
}

const stepOf = (
  { after, before, isPart }: Move,
  order: "buy" | "sell" | undefined,
  isPerpetual: boolean
): Step => {
  if (after === "long") {
    if (before === "short") return "turn_long"
    const isLess = before !== "flat" && (isPart || order === "sell")
    return isLess ? "part" : "open_long"
  }
  if (after === "short") {
    if (before === "long") return "turn_short"
    const isLess = before !== "flat" && (isPart || order === "buy")
    return isLess ? "part" : "open_short"
  }
  if (after === "flat") {
    if (before === "flat") return "nothing"
    const wasLong = before === "long" || (before === undefined && (order === "sell" || !isPerpetual))
    if (wasLong && !(before === undefined && order === "buy")) return "close_long"
    return before === "short" || order === "buy" ? "close_short" : "unclear"
  }
  if (order === undefined) return "unclear"
  if (before === "long") return order === "buy" ? "open_long" : "close_long"
  if (before === "short") return order === "sell" ? "open_short" : "close_short"
  return order === "buy" ? "open_long" : "open_short"
}

type Meaning = { readonly type: AlertType; readonly warning?: string } | { readonly text: string }

const PART = {
  text: "tells that a part is closed, and closing here closes all: send sell, close_long or close_short"
}
const NOTHING = { text: "tells of no change: the strategy is flat and was flat before" }
const UNCLEAR = {
  text: "does not say enough alone: send market_position, prev_market_position and action together"
}

const PERPETUAL: Readonly<Record<Step, Meaning>> = {
  open_long: { type: "long" },
  open_short: { type: "short" },
  close_long: { type: "close_long" },
  close_short: { type: "close_short" },
  turn_short: {
    type: "close_long",
    warning:
      "the strategy turned from long to short, and one alert does one thing: this closes the long; send short by itself"
  },
  turn_long: {
    type: "close_short",
    warning:
      "the strategy turned from short to long, and one alert does one thing: this closes the short; send long by itself"
  },
  part: PART,
  nothing: NOTHING,
  unclear: UNCLEAR
}

const SPOT: Readonly<Record<Step, Meaning>> = {
  open_long: { type: "buy" },
  open_short: {
    type: "sell",
    warning:
      "the strategy went short, which a spot market cannot: this only sells what is held; name the perpetual to go short"
  },
  close_long: { type: "sell" },
  close_short: {
    text: "tells that a short is closed, and a spot market holds none: name the perpetual, as in BTCUSDT.P"
  },
  turn_short: {
    type: "sell",
    warning:
      "the strategy turned short, which a spot market cannot: this only sells what is held; name the perpetual to go short"
  },
  turn_long: {
    type: "buy",
    warning: "the strategy turned from short to long, and a spot market holds no short: this only buys"
  },
  part: PART,
  nothing: NOTHING,
  unclear: UNCLEAR
}
