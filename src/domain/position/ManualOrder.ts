// The owner's own orders, given by hand: close a position or a part of it, cancel a waiting entry, set targets. No rule
// of the strategy stands in their way; what they cannot do in the slot's present state is refused with a reason.
import * as Schema from "effect/Schema"
import { optional } from "../internal/Optional.ts"
import { ExchangeName, MarketKind, Pair } from "../Market.ts"

const Close = Schema.TaggedStruct("Close", { percent: Schema.Number })
const Cancel = Schema.TaggedStruct("Cancel", {})
const Targets = Schema.TaggedStruct("Targets", {
  tp: optional(Schema.OptionFromNullOr(Schema.Number)),
  sl: optional(Schema.OptionFromNullOr(Schema.Number))
})
/** Targets by hand: an absent one stays as it is, `None` removes it. A `tp` replaces a ladder too. */
export type ManualTargets = typeof Targets.Type

/**
 * What is to be done: `Close` this percentage of what is held (over 0 to 100), `Cancel` the entry that waits or is in
 * flight, or set `Targets`.
 */
export const ManualAct = Schema.Union(Close, Cancel, Targets)
export type ManualAct = typeof ManualAct.Type

/** An order by hand and its market. Without `kind` it is about whichever of the pair's two markets is in use. */
export const ManualOrder = Schema.Struct({
  exchange: ExchangeName,
  pair: Pair,
  kind: optional(MarketKind),
  act: ManualAct
})
export type ManualOrder = typeof ManualOrder.Type

/**
 * What an order by hand led to. `closed` and `reduced` are done; `ordered` was sent to an exchange, which has not
 * reported all of it yet; `waiting` is stored and will be sent as soon as the slot's stop has ended, or the wait after a
 * rejection is over. `cancelling` asks the exchange to cancel an entry in flight: what filled stays.
 */
export const MANUAL_OUTCOMES = [
  "closed",
  "reduced",
  "ordered",
  "waiting",
  "entry_cancelled",
  "cancelling",
  "targets_updated"
] as const
/** One of these outcomes. */
export const ManualOutcome = Schema.Literal(...MANUAL_OUTCOMES)
export type ManualOutcome = typeof ManualOutcome.Type

/** Why an order by hand is refused. They are codes of problem documents too. @internal */
export const MANUAL_REFUSALS = [
  "no_position",
  "no_entry",
  "busy",
  "set_aside",
  "astray",
  "no_price",
  "below_min_notional"
] as const
/** One of these reasons. */
export type ManualRefusal = (typeof MANUAL_REFUSALS)[number]

/** An order by hand that the slot's present state does not allow; `detail` says why, and what to do. */
export class ManualRefused extends Schema.TaggedError<ManualRefused>()("ManualRefused", {
  reason: Schema.Literal(...MANUAL_REFUSALS),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}
