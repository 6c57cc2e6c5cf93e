// The parts of a difference in words, for people.
import type { Part } from "./Parts.ts"

/** A part's name, and what it is in a sentence. */
export interface PartText {
  readonly label: string
  readonly text: string
}

/** The words of every part. */
export const PART_WORDS: Readonly<Record<Part, PartText>> = {
  settings: {
    label: "Changed settings",
    text: "the strategy had other settings then than it has now"
  },
  alerts: {
    label: "Missed or late alerts",
    text: "alerts acted a minute or more after they came, or were too old, or found no price"
  },
  outages: {
    label: "Outages and halts",
    text: "the server was off, had no prices, or entries were halted"
  },
  orders: {
    label: "Refused or partial orders",
    text: "the exchange refused orders, or filled them only in part"
  },
  price: {
    label: "Price (slippage)",
    text: "orders filled at other prices than those at which they were decided"
  },
  fees: { label: "Fees", text: "the exchange charged other fees than the test expects" },
  latency: {
    label: "Latency",
    text: "the bot decided at other moments and prices than the minute candles of the test have"
  },
  by_hand: {
    label: "By hand",
    text: "the owner closed, disarmed or wrote off what the test went on holding"
  },
  no_candles: { label: "No candles", text: "there are no candles of that time: it cannot be compared" }
}
