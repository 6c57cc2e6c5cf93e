// What each step of a chart's strategy means on spot and on a perpetual: a type with a warning where the market cannot
// follow the chart, or what the sender must send instead.
import type { AlertType } from "../Alert.ts"

/**
 * The effect of an order or a change of position on any market. `enter` and `turn` follow from a stated position and
 * leave nothing of the other side; `open` follows from an order alone.
 */
export type Step =
  | "open_long"
  | "open_short"
  | "enter_long"
  | "enter_short"
  | "turn_short"
  | "turn_long"
  | "add_long"
  | "add_short"
  | "reduce_long"
  | "reduce_short"
  | "hold_short"
  | "close_long"
  | "close_short"
  | "close_either"
  | "cover_either"
  | "leave_short"
  | "part"
  | "nothing"
  | "unclear"

/** The type that carries out a step, or what to send instead. */
export type Meaning =
  | { readonly type: AlertType; readonly reverse?: true; readonly warning?: string }
  | { readonly text: string }

const UNFOLLOWED = {
  part: {
    text: "reports a part, but not of which side: send market_position and prev_market_position as well"
  },
  nothing: { text: "reports no change: the strategy holds what it held before" },
  unclear: {
    text: "is not enough by itself: send market_position, prev_market_position and action together"
  }
}

/** Steps on a perpetual. */
export const PERPETUAL: Readonly<Record<Step, Meaning>> = {
  open_long: { type: "long" },
  open_short: { type: "short" },
  enter_long: { type: "long", reverse: true },
  enter_short: { type: "short", reverse: true },
  turn_long: { type: "long", reverse: true },
  turn_short: { type: "short", reverse: true },
  add_long: { type: "long" },
  add_short: { type: "short" },
  reduce_long: { type: "close_long" },
  reduce_short: { type: "close_short" },
  hold_short: { type: "close_short" },
  close_long: { type: "close_long" },
  close_short: { type: "close_short" },
  close_either: { type: "close_long" },
  cover_either: { type: "close_short" },
  leave_short: { type: "close_short" },
  ...UNFOLLOWED
}

const WENT_SHORT =
  "the strategy went short, which a spot market cannot: this only sells what is held; name the perpetual to go short"
const TURNED_SHORT =
  "the strategy turned short, which a spot market cannot: this only sells what is held; name the perpetual to go short"
const HELD_SHORT =
  "the strategy holds a short, which a spot market cannot: this only sells what is held; name the perpetual, as in BTCUSDT.P"
const COVERED =
  "a short was covered, and a spot market holds none: this only sells what is held; name the perpetual, as in BTCUSDT.P"

/** Steps on a spot market: below zero it is flat. */
export const SPOT: Readonly<Record<Step, Meaning>> = {
  open_long: { type: "buy" },
  open_short: { type: "sell", warning: WENT_SHORT },
  enter_long: { type: "buy" },
  enter_short: { type: "sell", warning: WENT_SHORT },
  turn_long: {
    type: "buy",
    warning: "the strategy turned from short to long, and a spot market holds no short: this only buys"
  },
  turn_short: { type: "sell", warning: TURNED_SHORT },
  add_long: { type: "buy" },
  add_short: { type: "sell", warning: HELD_SHORT },
  reduce_long: { type: "sell" },
  reduce_short: { type: "sell", warning: HELD_SHORT },
  hold_short: { type: "sell", warning: HELD_SHORT },
  close_long: { type: "sell" },
  close_short: { type: "sell", warning: COVERED },
  close_either: { type: "sell" },
  cover_either: { type: "sell", warning: COVERED },
  leave_short: {
    text: "reports that a short was covered, but not what is held now: send market_position as well"
  },
  ...UNFOLLOWED
}
