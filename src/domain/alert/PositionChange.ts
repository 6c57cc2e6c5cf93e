// Maps a chart strategy's change of position to an alert: what it holds now decides, on spot or on a perpetual, and its
// sizes say how much of it was closed or added. What cannot be followed is refused with what to send instead.
import * as Either from "effect/Either"
import type { AlertType, ChartPosition, Extras } from "../Alert.ts"
import type { Violation } from "../requests/Violations.ts"
import { violation } from "../requests/Violations.ts"
import type { Names } from "./AlertNames.ts"
import * as StatedPosition from "./StatedPosition.ts"
import { type Meaning, PERPETUAL, SPOT, type Step } from "./StepMeaning.ts"

export type { Step } from "./StepMeaning.ts"

/** The type of an alert, the field that states it, and a warning for the sender. */
export interface Act {
  readonly type: AlertType
  readonly from: string
  readonly warning?: string
  /** What a stated position says beyond the type; absent where the type follows from no position. */
  readonly says?: Extras
}

/** The direction of an order. */
export type Order = "buy" | "sell"

/** The type of a change of position; else what the sender must change. */
export const typeOf = (
  position: StatedPosition.StatedPosition,
  order: Order | undefined,
  isPerpetual: boolean
): Either.Either<Act, Violation> => {
  const { after, name } = position
  if (after === undefined)
    return Either.map(actOf(stepBefore(position, order, isPerpetual), name, isPerpetual), (act) => ({
      ...act,
      says: {}
    }))
  const change = changeOf(position, after, { order, isPerpetual })
  if ("text" in change) return Either.left(violation(name, change.text))
  const { growth, percent, step } = change
  const isEither = isPerpetual && (step === "close_either" || step === "cover_either")
  const isSized = isFollowed(step, isPerpetual)
  return Either.map(actOf(step, name, isPerpetual), ({ reverse, ...act }) => ({
    ...act,
    says: {
      ...(reverse === undefined ? {} : { reverse }),
      ...(isSized && percent !== undefined ? { closePercent: percent } : {}),
      ...(isSized && growth !== undefined ? { growth } : {}),
      ...(isEither ? { eitherSide: true as const } : {}),
      stated: statedBy(position, after)
    }
  }))
}

/** A spot market holds no short, so parts of one change nothing there. */
const isFollowed = (step: Step, isPerpetual: boolean): boolean =>
  isPerpetual || step === "reduce_long" || step === "add_long"

/** The type of a step on spot or on a perpetual; `name` is the field that states it. */
export const actOf = (
  step: Step,
  name: string,
  isPerpetual: boolean
): Either.Either<Act & { readonly reverse?: true }, Violation> => {
  const meaning: Meaning = (isPerpetual ? PERPETUAL : SPOT)[step]
  return "type" in meaning
    ? Either.right({ from: name, ...meaning })
    : Either.left(violation(name, meaning.text))
}

/** A change: its step, and how much of what was held it closes (percent) or adds (share). */
interface Change {
  readonly step: Step
  readonly percent?: number
  readonly growth?: number
}

/** What stands beside a position: the order, where there is one, and the kind of market. */
interface Beside {
  readonly order: Order | undefined
  readonly isPerpetual: boolean
}

/** The change that ends in what is held now, or what the sender must add. */
const changeOf = (
  position: StatedPosition.StatedPosition,
  after: StatedPosition.Holding,
  { isPerpetual, order }: Beside
): Change | { readonly text: string } => {
  const { before } = position
  // A spot market is flat whatever the chart does below zero.
  if (after === "short" && before !== "flat" && before !== "long" && !isPerpetual)
    return { step: before === undefined ? "enter_short" : "hold_short" }
  if (after === "flat") {
    if (before === "flat") return { step: "nothing" }
    if (before !== undefined) return { step: `close_${before}` }
    return { step: order === "buy" ? "cover_either" : "close_either" }
  }
  if (before === "flat") return { step: `enter_${after}` }
  if (before === undefined) return enteredOrReduced(position, after, order)
  return before === after ? changedWithin(position, after, order) : { step: `turn_${after}` }
}

/** Without the position before, it counts as flat; but an order against what is held now can only have closed a part. */
const enteredOrReduced = (
  position: StatedPosition.StatedPosition,
  side: Side,
  order: Order | undefined
): Change | { readonly text: string } =>
  order === undefined || order === growing(side)
    ? { step: `enter_${side}` }
    : changedWithin(position, side, order)

type Side = "long" | "short"

/** The order by which a position of a side grows. */
const growing = (side: Side): Order => (side === "long" ? "buy" : "sell")

const changedWithin = (
  { sizeAfter, sizeBefore }: StatedPosition.StatedPosition,
  side: Side,
  order: Order | undefined
): Change | { readonly text: string } => {
  if (sizeAfter === undefined || sizeBefore === undefined)
    return order === growing(side) ? { step: `add_${side}` } : { text: SIZES }
  if (StatedPosition.isSame(sizeAfter, sizeBefore)) return { step: "nothing" }
  // The sizes decide, whatever the order's direction says.
  return sizeAfter > sizeBefore
    ? {
        step: `add_${side}`,
        growth: Math.min(upwards((sizeAfter - sizeBefore) / sizeBefore), MAX_GROWTH)
      }
    : {
        step: `reduce_${side}`,
        percent: Math.min(upwards(((sizeBefore - sizeAfter) / sizeBefore) * 100), 100)
      }
}

const SIZES =
  "tells of a part of unknown size: add {{strategy.market_position_size}} and {{strategy.prev_market_position_size}}"

/** More than any account has cash for. */
const MAX_GROWTH = 1e9

/**
 * A number with few digits as it is, any other a little larger: a third of three amount steps has to be one step when it
 * is rounded down to steps later.
 */
const upwards = (number: number): number => {
  const short = Math.round(number * SHORT) / SHORT
  if (short > 0 && Math.abs(number - short) <= NUDGE * number) return short
  return Number((number * (1 + NUDGE)).toPrecision(14))
}
const SHORT = 1e6
/** Far above the error of a double, far below one amount step of what anybody holds. */
const NUDGE = 1e-12

const statedBy = (
  { before, sizeAfter, sizeBefore }: StatedPosition.StatedPosition,
  after: StatedPosition.Holding
): NonNullable<Extras["stated"]> => ({
  ...(before === undefined ? {} : { before: held(before, sizeBefore) }),
  after: held(after, sizeAfter)
})

const held = (side: StatedPosition.Holding, size: number | undefined): ChartPosition =>
  size === undefined ? { side } : { side, size }

/** The step where what is held now is not stated: by what was held before, and by the order. */
const stepBefore = (
  { before, isPart }: StatedPosition.StatedPosition,
  order: Order | undefined,
  isPerpetual: boolean
): Step => {
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
