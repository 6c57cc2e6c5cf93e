// The routes of the owner's own orders. A request under an Idempotency-Key acts once: its response is stored with the
// order, in one transaction.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { ManualResult } from "../../api/Positions.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import * as IdempotencyKey from "../../domain/requests/IdempotencyKey.ts"
import * as ManualRequest from "../../domain/requests/ManualRequest.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { Bots } from "../../services/Bots.ts"
import type * as Manual from "../../services/engine/orders/ManualOrders.ts"
import { Digest, joined } from "../../services/internal/Digest.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { refuse } from "../Problems.ts"
import type { Creation } from "../request/IdempotentCreation.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import { CurrentRequest } from "../request/Request.ts"
import * as Answers from "../views/Answers.ts"
import { manualView } from "../views/ManualViews.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(ManualResult)))

/** What a request of one of the three operations reads. */
type Reading = (fields: Fields) => Either.Either<ManualRequest.ManualRequest, Violations>

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "positions", (handlers) =>
  Effect.gen(function* () {
    const bots = yield* Bots
    const store = yield* StrategyStore
    const digest = yield* Digest

    const answerOf = (strategy: Strategy) => (result: Manual.ManualResult) =>
      Effect.map(bots.standings([strategy.id]), (standings) => ({
        status: 200,
        location: undefined,
        body: encode(manualView(result, strategy, standings.get(strategy.id)))
      }))

    const act = Effect.fn("http.Positions.act")(function* (
      id: number,
      {
        headers,
        request
      }: { readonly request: HttpServerRequest.HttpServerRequest } & Pick<Creation, "headers">,
      read: Reading
    ) {
      const { account } = yield* Caller
      const { fields, text } = yield* jsonOnly(request)
      const strategy = yield* store.get(account, id)
      const key = yield* IdempotencyKey.read(headers["idempotency-key"])
      const { isPreview, order } = yield* read(fields)
      const answer = answerOf(strategy)
      if (isPreview) return Answers.replay(yield* Effect.flatMap(bots.previewByHand(strategy, order), answer))
      const { path } = yield* CurrentRequest
      const once = key === undefined ? undefined : { key, request: digest(joined("POST", path, text)) }
      return Answers.replay(yield* bots.byHand(strategy, order, { answer, once }))
    })

    return handlers
      .handleRaw("close", ({ path, ...sent }) => refuse(act(path.id, sent, ManualRequest.readClose)))
      .handleRaw("cancel", ({ path, ...sent }) => refuse(act(path.id, sent, ManualRequest.readCancel)))
      .handleRaw("targets", ({ path, ...sent }) => refuse(act(path.id, sent, ManualRequest.readTargets)))
  })
)
