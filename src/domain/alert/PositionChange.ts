// Maps a chart strategy's change of position to an alert type, on spot or on a perpetual: a step (open, close, turn)
// first, then the type that carries it out. Steps that one alert cannot carry out are refused with what to send
// instead.
import * as Either from "effect/Either"
import type { AlertType } from "../Alert.ts"
import type { Violation } from "../requests/Violations.ts"
import { violation } from "../requests/Violations.ts"
import type { Names } from "./AlertNames.ts"
import * as StatedPosition from "./StatedPosition.ts"

/** The type of an alert, the field that states it, and a warning for the sender. */
export interface Act {
  readonly type: AlertType
  readonly from: string
  readonly warning?: string
}

/** The direction of an order. */
export type Order = "buy" | "sell"

/** The effect of an order or a change of position on any market. A turn closes one side and opens the other. */
export type Step =
  | "open_long"
  | "open_short"
  | "close_long"
  | "close_short"
  | "turn_short"
  | "turn_long"
  | "leave_short"
  | "part"
  | "nothing"
  | "unclear"

/** The type of a change of position; else what the sender must change. */
export const typeOf = (
  position: StatedPosition.StatedPosition,
  order: Order | undefined,
  isPerpetual: boolean
): Either.Either<Act, Violation> => actOf(stepOf(position, order, isPerpetual), position.name, isPerpetual)

/** The type of a step on spot or on a perpetual; `name` is the field that states it. */
export const actOf = (step: Step, name: string, isPerpetual: boolean): Either.Either<Act, Violation> => {
  const meaning = (isPerpetual ? PERPETUAL : SPOT)[step]
  return "type" in meaning
    ? Either.right({ from: name, ...meaning })
    : Either.left(violation(name, meaning.text))
}

const stepOf = (
  { after, before, isPart }: StatedPosition.StatedPosition,
  order: Order | undefined,
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
    if (before !== undefined) return `close_${before}`
    if (order !== undefined) return order === "sell" ? "close_long" : "close_short"
    return isPerpetual ? "unclear" : "close_long"
  }
  if (order === undefined) return "unclear"
  if (before === "long") return order === "buy" ? "open_long" : "close_long"
  if (before === "short") return order === "sell" ? "open_short" : "leave_short"
  if (before === "flat") return order === "buy" ? "open_long" : "open_short"
  if (isPart) return "part"
  // A size alone names no side: a buy may cover a short. On spot a sell is always a sell.
  return order === "sell" && !isPerpetual ? "close_long" : "unclear"
}

/**
 * Whether a buy would cover a short, given the position beside it. Senders who fill the chart order's direction into
 * `type` send `buy` for a cover, which must not open a position.
 */
export const isCover = (names: Names): boolean =>
  Either.match(StatedPosition.read(names), {
    onLeft: () => false,
    onRight: (position) =>
      position !== undefined &&
      (position.after === "flat" || position.after === "short") &&
      position.before !== "long"
  })

type Meaning = { readonly type: AlertType; readonly warning?: string } | { readonly text: string }

const PART = {
  text: "reports a partial close, but closing here closes all: send sell, close_long or close_short"
}
const NOTHING = { text: "reports no change: the strategy is flat and was flat before" }
const UNCLEAR = {
  text: "is not enough by itself: send market_position, prev_market_position and action together"
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
  leave_short: { type: "close_short" },
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
    type: "sell",
    warning:
      "a short was covered, and a spot market holds none: this only sells what is held; name the perpetual, as in BTCUSDT.P"
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
  leave_short: {
    text: "reports that a short was covered, but not what is held now: send market_position as well"
  },
  part: PART,
  nothing: NOTHING,
  unclear: UNCLEAR
}
