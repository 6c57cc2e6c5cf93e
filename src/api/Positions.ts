// The contract of the owner's own orders: close a position or a part of it, cancel a waiting entry, set targets. With
// `preview` each says what it would do, and does nothing.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { ExchangeName, MarketKind } from "../domain/Market.ts"
import { MANUAL_REFUSALS, ManualOutcome } from "../domain/position/ManualOrder.ts"
import { PositionView } from "./Holdings.ts"
import { moment } from "./shared/Moment.ts"
import { IdempotencyKey, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

const number = (description: string) => Schema.Number.annotations({ description })

const market = {
  exchange: ExchangeName.annotations({ description: "the exchange of the position" }),
  pair: Schema.String.annotations({ description: "its pair, BASE/QUOTE" }),
  kind: Schema.optional(MarketKind).annotations({
    description: "may be left out while only one of the pair's two markets is in use"
  }),
  preview: Schema.optional(Schema.Boolean).annotations({
    description: "true only says what would be done; false where left out"
  })
}

const CloseDraft = Schema.Struct({
  ...market,
  percent: Schema.optional(Schema.Number).annotations({
    description: "how much of what is held is closed, over 0 to 100; 100 where left out"
  })
}).annotations({ identifier: "CloseDraft" })
const CancelDraft = Schema.Struct(market).annotations({ identifier: "CancelDraft" })
const target = (what: string) =>
  Schema.optional(Schema.NullOr(Schema.Number)).annotations({
    description: `${what}; null removes it, and left out it stays as it is`
  })
const TargetsDraft = Schema.Struct({
  ...market,
  tp: target("the price at which all is sold with a profit, in place of a ladder too"),
  sl: target("the price at which all is sold with a loss")
}).annotations({ identifier: "TargetsDraft" })

/** The quantity, fee and profit of a close, at the price at which it was decided. */
const ClosePlan = Schema.Struct({
  quantity: number("what is closed, in base"),
  percent: number("the same as a percentage of what is held"),
  price: number("the price that closing gets now; an exchange may give another"),
  notional: number("quantity times price, in quote"),
  fee: number("the exit fee, in quote"),
  proceeds: number("what comes back after the fee, in quote"),
  pnl: number("proceeds minus the cost of what is closed, in quote"),
  profit_pct: number("the same over that cost, percent"),
  left: number("what is held afterwards, in base"),
  closes_all: Schema.Boolean.annotations({ description: "whether nothing is left" }),
  rest_too_small: Schema.Boolean.annotations({
    description: "whether all is closed because the rest would be under the market's minimum"
  })
}).annotations({ identifier: "ClosePlan", description: "What closing comes to." })
export type ClosePlanView = typeof ClosePlan.Type

const ManualFill = Schema.Struct({
  quantity: number("in base"),
  price: Schema.Number,
  fee: number("in quote"),
  at: moment("when")
})

/** The result of an order by hand; of a preview, the result that it would have. */
export const ManualResult = Schema.Struct({
  preview: Schema.Boolean.annotations({ description: "whether nothing was done" }),
  outcome: ManualOutcome.annotations({
    description:
      "`closed` and `reduced` are done; `ordered` is at the exchange; `waiting` is stored and sent once the stop at the exchange has ended, or a wait after a rejection is over; `cancelling`: the exchange is asked to cancel the entry, and what filled stays"
  }),
  text: Schema.String.annotations({ description: "the same in words, with the numbers" }),
  real_money: Schema.Boolean.annotations({ description: "whether it is about real money" }),
  order_id: Schema.NullOr(Schema.String).annotations({
    description: "the order that was made or is to be cancelled; null where there is none (yet)"
  }),
  plan: Schema.NullOr(ClosePlan).annotations({ description: "null but for a close" }),
  fills: Schema.Array(ManualFill).annotations({ description: "what filled so far" }),
  position: Schema.NullOr(PositionView).annotations({
    description: "what is held now; null where nothing is"
  })
}).annotations({ identifier: "ManualResult", description: "What an order by hand led to." })
export type ManualResult = typeof ManualResult.Type

const strategy = pathOf("StrategyId")
const errors = Problems.ofJsonBody("idempotency_key_reused")
const refused = Problems.conflict(...MANUAL_REFUSALS)

/** An operation by hand on one market of a strategy. */
const byHand = <const Name extends "close" | "cancel" | "targets", A, I>(
  name: Name,
  payload: Schema.Schema<A, I>,
  about: { readonly summary: string; readonly description: string }
) =>
  HttpApiEndpoint.post(name, `/v1/strategies/:id/positions/${name}`)
    .setPath(strategy)
    .setHeaders(IdempotencyKey)
    .setPayload(payload)
    .addSuccess(ManualResult)
    .addError(errors)
    .addError(Problems.NotFound)
    .addError(refused)
    .annotateContext(OpenApi.annotations(about))

export const Positions = HttpApiGroup.make("positions")
  .add(
    byHand("close", CloseDraft, {
      summary: "Close a position by hand",
      description:
        "At the market, all of it or a part, whatever the strategy's rules say: no minimum profit, halt or cooldown stands in its way. The quantity is rounded down to the amount step. Where the rest would be under the market's minimum all is closed; a part under it is refused."
    })
  )
  .add(
    byHand("cancel", CancelDraft, {
      summary: "Cancel a waiting entry by hand",
      description:
        "A trailing buy, the second leg of a turn, or an entry order at the exchange: what has filled of that stays."
    })
  )
  .add(
    byHand("targets", TargetsDraft, {
      summary: "Set a position's targets by hand",
      description:
        "Null removes one, and one that is left out stays. 422 where a `tp` is not beyond the market, or an `sl` not before it."
    })
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "dashboard" }))
  .annotateContext(
    OpenApi.annotations({
      title: "Positions",
      description: "The owner's own orders: what a person decides by hand, on paper and with real money."
    })
  )
