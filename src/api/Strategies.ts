// The contract of strategies. The fields come from the same table that decodes requests, so the two cannot differ.
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { StrategyDraft, StrategyPatch } from "../domain/requests/StrategyDraft.ts"
import { FullView, ListView, UpdateView } from "../domain/requests/StrategyView.ts"
import { Done, IdempotencyKey, Page, pathOf } from "./shared/Paging.ts"
import * as Problems from "./shared/Problems.ts"
import { Access, Bearer } from "./shared/Security.ts"

export const Full = FullView.annotations({
  identifier: "Strategy",
  description: "A strategy; what is unset or switched off is null."
})
export const Listed = ListView.annotations({
  identifier: "ListedStrategy",
  description: "A strategy as lists and creations show it."
})
export const Updated = UpdateView.annotations({
  identifier: "UpdatedStrategy",
  description: "A strategy as updates show it."
})
export const StrategyList = Schema.Struct({ data: Schema.Array(Listed) }).annotations({
  identifier: "StrategyList",
  description: "Strategies, in order of their making."
})

const Created = Listed.annotations({
  ...HttpApiSchema.annotations({ status: 201 }),
  identifier: "ListedStrategy"
})

const words = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export const Strategies = HttpApiGroup.make("strategies")
  .add(
    HttpApiEndpoint.get("list", "/v1/strategies")
      .setUrlParams(Page)
      .addSuccess(StrategyList)
      .addError(Problems.Unprocessable)
      .annotateContext(
        words("List strategies", "The caller's own strategies, all of them unless `limit` is given.")
      )
  )
  .add(
    HttpApiEndpoint.post("create", "/v1/strategies")
      .setHeaders(IdempotencyKey)
      .setPayload(StrategyDraft)
      .addSuccess(Created)
      .addError(Problems.ofJsonBody("idempotency_key_reused", "too_many_strategies"))
      .annotateContext(words("Create a strategy", "JSON. `Location` holds the strategy's address."))
  )
  .add(
    HttpApiEndpoint.get("get", "/v1/strategies/:id")
      .setPath(pathOf("StrategyId"))
      .addSuccess(Full)
      .addError(Problems.NotFound)
      .annotateContext(words("Retrieve a strategy", "The caller's own, or a public one."))
  )
  .add(
    HttpApiEndpoint.put("update", "/v1/strategies/:id")
      .setPath(pathOf("StrategyId"))
      .setPayload(StrategyPatch)
      .addSuccess(Updated)
      .addError(Problems.OfJsonBody)
      .addError(Problems.NotFound)
      .annotateContext(
        words(
          "Update a strategy",
          "JSON; fields that are left out stay as they are, `exchanges` is replaced."
        )
      )
  )
  .add(
    HttpApiEndpoint.del("remove", "/v1/strategies/:id")
      .setPath(pathOf("StrategyId"))
      .addSuccess(Done)
      .addError(Problems.NotFound)
      .addError(Problems.conflict("order_in_flight"))
      .annotateContext(words("Delete a strategy", "For ever, with its bot; its positions are closed."))
  )
  .middleware(Bearer)
  .annotate(Access, Access.of({ scope: "full", bucket: "strategies" }))
  .annotateContext(
    OpenApi.annotations({ title: "Strategies", description: "Configurations of trading bots." })
  )
