// An open position: the sums of its entry and exit fills, its targets, and the peak of its trail. cost = entry notional
// + entry fees.
import * as Schema from "effect/Schema"
import * as Decimal from "./Decimal.ts"
import { optional } from "./internal/Optional.ts"
import { PositionSide } from "./Order.ts"
import { Ladder } from "./position/Ladder.ts"
import { ExitFill } from "./Trade.ts"

/** What a position remembers of its targets, steps and parts. */
const partFields = {
  added: optional(Schema.Int),
  ladder: optional(Ladder),
  stepsDone: optional(Schema.Int),
  stepsFilled: optional(Schema.Int),
  breakEven: optional(Schema.Literal(true)),
  owed: optional(Decimal.Text),
  openFees: optional(Decimal.Text),
  exitFills: optional(Schema.Array(ExitFill)),
  exits: optional(Schema.Int),
  funding: optional(Decimal.Text)
}
const heldFields = {
  side: PositionSide,
  openedBy: Schema.Int,
  openedAt: Schema.Int,
  lastEntryAt: Schema.Int,
  entries: Schema.Int,
  quantity: Decimal.Text,
  basis: Decimal.Text,
  entryQuantity: Decimal.Text,
  entryNotional: Decimal.Text,
  entryFees: Decimal.Text,
  exitQuantity: Decimal.Text,
  exitNotional: Decimal.Text,
  exitFees: Decimal.Text,
  proceeds: Decimal.Text,
  tp: optional(Schema.Number),
  sl: optional(Schema.Number),
  peak: optional(Schema.Number),
  dcaSkippedAt: optional(Decimal.Text),
  ownFailedAt: optional(Schema.Int)
}
const positionFields: typeof heldFields & typeof partFields = { ...heldFields, ...partFields }
/** The schema of a position. */
export interface PositionSchema extends Schema.Struct<typeof positionFields> {}
/**
 * An open position of one slot. Quantities in base, money in quote, times in ms.
 *
 * `quantity` is the present quantity; `entryQuantity`, `entryNotional` and `entryFees` sum all entry fills. `basis` is
 * the entry notional of the present quantity: the margin, for a swap. `exitQuantity`, `exitNotional`, `exitFees` and
 * `proceeds` (what returned to free cash) sum the exits so far. `openedBy` is the alert that opened it. `peak` is the
 * best price since the trailing sell armed (the lowest, for a short); absent: not armed. `dcaSkippedAt` is the free
 * cash at which a DCA entry was too small; absent: none was. `added` counts the entries that further alerts added, which
 * are among `entries`. `ladder` is the alert's; `stepsDone` counts the strategy's steps that are done, and `stepsFilled`
 * those of both sorts. `breakEven` says that the stop is at break even. `owed` is the quantity of parts that were under
 * the market's minimum, which the next part takes along. `openFees` are the entry fees of the present quantity; absent:
 * no exit has taken a share of them yet. `exits` counts the exit fills so far, and `exitFills` lists them. `ownFailedAt`
 * is when (ms) an embedder's own exit failed last; absent: it never did. `funding` is what a perpetual received in
 * funding so far, negative for what it paid, and is among `proceeds`; absent: none fell due.
 */
export const Position: PositionSchema = Schema.Struct(positionFields)
export type Position = typeof Position.Type

/** The entry fees of the present quantity. */
export const feesLeft = ({ entryFees, openFees }: Position): Decimal.Decimal => openFees ?? entryFees

/** Entry notional plus entry fees of the present quantity. */
export const costLeft = (position: Position): Decimal.Decimal =>
  Decimal.add(position.basis, feesLeft(position))

/** Entry notional plus entry fees of the whole position, parts that were closed included. */
export const costOf = (position: Position): Decimal.Decimal =>
  Decimal.add(position.entryNotional, position.entryFees)
