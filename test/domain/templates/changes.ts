// What a chart's strategy may do, and what a message that another service has its users write is made of.
type Holding = "flat" | "long" | "short"

/** What a chart's strategy did, and how much it held before and holds now. */
export interface Change {
  readonly name: string
  readonly before: Holding
  readonly after: Holding
  readonly action: "buy" | "sell"
  readonly sizes: readonly [before: number, after: number]
  /** What may be made of it on spot and on a perpetual, beside a refusal. */
  readonly spot: ReadonlyArray<string>
  readonly swap: ReadonlyArray<string>
}

const change = (
  name: string,
  [before, after]: readonly [Holding, Holding],
  action: Change["action"],
  sizes: Change["sizes"],
  spot: string,
  swap: string
): Change => ({ name, before, after, action, sizes, spot: spot.split(" "), swap: swap.split(" ") })

export const CHANGES: ReadonlyArray<Change> = [
  change("opens a long", ["flat", "long"], "buy", [0, 2], "buy", "long"),
  change("closes it", ["long", "flat"], "sell", [2, 0], "sell", "close_long"),
  change("opens a short", ["flat", "short"], "sell", [0, 2], "sell", "short"),
  change("covers it", ["short", "flat"], "buy", [2, 0], "sell", "close_short"),
  change("turns short", ["long", "short"], "sell", [2, 2], "sell", "close_long short"),
  change("turns long", ["short", "long"], "buy", [2, 2], "buy", "close_short long"),
  change("closes a part", ["long", "long"], "sell", [2, 1], "sell", "close_long"),
  change("covers a part", ["short", "short"], "buy", [2, 1], "sell", "close_short"),
  change("adds", ["long", "long"], "buy", [1, 2], "buy", "long"),
  change("adds to a short", ["short", "short"], "sell", [1, 2], "sell", "short")
]

export type Filled = Change & { readonly ticker: string }
export const contracts = ({ sizes: [before, after] }: Change) => Math.abs(after - before) || after + before
export const signed = ({ after, sizes }: Change) => (after === "short" ? -sizes[1] : sizes[1])

/** A message as its service tells its users to write it, filled in by the charting platform. */
export interface Template {
  readonly source: string
  readonly body: (filled: Filled) => object | string
  /** It has no words for a part: that is another message of the service. */
  readonly wholeOnly?: true
  /** What is made of each change, in their order; "-" where it is refused, "." where the service has no words for it. */
  readonly spot: string
  readonly swap: string
}

export const STATED = {
  spot: "buy sell sell sell sell buy sell sell buy sell",
  swap: "long close_long short close_short short long close_long close_short long short"
}
/** Without sizes a part is of unknown size; below zero a spot market is flat in any case. */
export const UNSIZED = {
  spot: "buy sell sell sell sell buy - sell buy sell",
  swap: "long close_long short close_short short long - - long short"
}
export const REFUSED = { spot: "- - - - - - - - - -", swap: "- - - - - - - - - -" }
/** What was before is not said: an order against what is held now is known for a part. */
export const AFTER_ONLY = UNSIZED
/** What is now is not said: a buy out of a short may cover it or turn it. */
export const BEFORE_ONLY = {
  spot: "buy sell sell - sell - sell - buy sell",
  swap: "long close_long short close_short close_long close_short close_long close_short long short"
}
