// The contract of what is public: the directory of strategies and signals, and copies of strategies.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { SIGNAL_SORTS, STRATEGY_SORTS } from "../../domain/directory/Listed.ts"
import { StrategyPatch } from "../../domain/requests/StrategyDraft.ts"
import { IdempotencyKey, Page, parameter, pathOf } from "../shared/Paging.ts"
import * as Problems from "../shared/Problems.ts"
import { Access, Bearer } from "../shared/Security.ts"
import { CopiedView, OriginView, SyncedView } from "./CopyViews.ts"
import { PublicSignalView, PublicStrategyDetail, PublicStrategyView } from "./PublicViews.ts"

export const PublicStrategyList = Schema.Struct({ data: Schema.Array(PublicStrategyView) }).annotations({
  identifier: "PublicStrategyList",
  description: "Public strategies, sorted as asked for."
})
export const PublicSignalList = Schema.Struct({ data: Schema.Array(PublicSignalView) }).annotations({
  identifier: "PublicSignalList",
  description: "Public signals, sorted as asked for."
})

const Created = CopiedView.annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "CopiedStrategy"
})

const search = parameter("only those with all of these words in a name, a description or a pair")
const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** The query of a search for strategies. */
export const PublicStrategyParams = Schema.Struct({
  ...Page.fields,
  search,
  sort: parameter(`one of ${STRATEGY_SORTS.join(", ")}; record where it is left out`),
  exchange: parameter("only those that trade on this exchange"),
  pair: parameter("only those that trade this pair, such as BTC/USDT"),
  mode: parameter("paper or real: only those that trade so now"),
  min_age: parameter("only those that were first published so many whole days ago, or longer")
})
/** The query of a search for signals. */
export const PublicSignalParams = Schema.Struct({
  ...Page.fields,
  search,
  sort: parameter(`one of ${SIGNAL_SORTS.join(", ")}; followers where it is left out`)
})

/** The directory. */
export const Public = HttpApiGroup.make("public")
  .add(
    HttpApiEndpoint.get("strategies", "/v1/public/strategies")
      .setUrlParams(PublicStrategyParams)
      .addSuccess(PublicStrategyList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words(
          "List public strategies",
          "Of all accounts: public, active and with a display name. 50 at a time unless `limit` says otherwise."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("strategy", "/v1/public/strategies/:id")
      .setPath(pathOf("StrategyId"))
      .addSuccess(PublicStrategyDetail)
      .addError(Problems.NotFound)
      .annotateContext(words("Retrieve a public strategy", "With its record, figures and curve."))
  )
  .add(
    HttpApiEndpoint.get("signals", "/v1/public/signals")
      .setUrlParams(PublicSignalParams)
      .addSuccess(PublicSignalList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("List public signals", "Of all accounts. A strategy follows one by its id, as `signal_id`.")
      )
  )
  .add(
    HttpApiEndpoint.get("signal", "/v1/public/signals/:id")
      .setPath(pathOf("SignalId"))
      .addSuccess(PublicSignalView)
      .addError(Problems.NotFound)
      .annotateContext(words("Retrieve a public signal", "Without its alerts, which only its owner reads."))
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "reads" }))
  .annotateContext(
    OpenApi.annotations({ title: "Public", description: "What owners published for everybody to use." })
  )

/** Copies of strategies. */
export const Copies = HttpApiGroup.make("copies")
  .add(
    HttpApiEndpoint.get("origin", "/v1/strategies/:id/origin")
      .setPath(pathOf("StrategyId"))
      .addSuccess(OriginView)
      .addError(Problems.NoOriginal)
      .addError(Problems.conflict("not_a_copy"))
      .annotateContext(
        words("Read what a copy's original changed", "What a sync would take over, and what it would leave.")
      )
  )
  .add(
    HttpApiEndpoint.post("copy", "/v1/strategies/:id/copy")
      .setPath(pathOf("StrategyId"))
      .setHeaders(IdempotencyKey)
      .setPayload(StrategyPatch)
      .addSuccess(Created)
      .addError(Problems.ofJsonBody("idempotency_key_reused", "too_many_strategies"))
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Copy a strategy",
          "One's own, or a public one. On paper and private; the body may override any field."
        )
      )
  )
  .add(
    HttpApiEndpoint.post("sync", "/v1/strategies/:id/sync")
      .setPath(pathOf("StrategyId"))
      .setHeaders(IdempotencyKey)
      .addSuccess(SyncedView)
      .addError(Problems.OfJsonBody)
      .addError(Problems.NoOriginal)
      .addError(Problems.conflict("not_a_copy"))
      .annotateContext(
        words(
          "Take over what a copy's original changed",
          "Under all rules of an update. What the copy's owner chose stays; again, it changes nothing."
        )
      )
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "strategies" }))
  .annotateContext(OpenApi.annotations({ title: "Copies", description: "Strategies made of other ones." }))
