// The routes of strategies. Bodies are JSON alone; the use case checks them, and ignores fields that it does not know.
// Of two changes at the same time neither undoes the other: services/Strategies.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { Listed, StrategyList } from "../../api/Strategies.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Strategies } from "../../services/Strategies.ts"
import { refuse } from "../Problems.ts"
import * as IdempotentCreation from "../request/IdempotentCreation.ts"
import * as Pages from "../request/Pages.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"

const encodeList = lazily(() => Schema.encodeSync(Schema.parseJson(StrategyList)))
const encode = lazily(() => Schema.encodeSync(Schema.parseJson(Listed)))

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "strategies", (handlers) =>
  Effect.gen(function* () {
    const strategies = yield* Strategies
    const once = yield* IdempotentCreation.make

    const list = Effect.fn("http.Strategies.list")(function* (query: Pages.PageQuery) {
      const { account } = yield* Caller
      const page = yield* Pages.read(query)
      const found = yield* strategies.list(account, Pages.after(page))
      const { headers, rows } = yield* Pages.cut(found, page, ({ strategy_id }) => strategy_id)
      return Answers.json(encodeList({ data: rows }), 200, headers)
    })
    const create = Effect.fn("http.Strategies.create")(function* ({
      headers,
      request
    }: IdempotentCreation.Creation) {
      const { account } = yield* Caller
      const { fields, text } = yield* jsonOnly(request)
      const answer = Effect.map(strategies.post(account, fields), (strategy) => ({
        status: 201,
        location: `/v1/strategies/${strategy.strategy_id}`,
        body: encode(strategy)
      }))
      return yield* once(account, headers["idempotency-key"], text, answer)
    })
    const update = Effect.fn("http.Strategies.update")(function* (
      id: number,
      request: IdempotentCreation.Creation["request"]
    ) {
      const { account } = yield* Caller
      const { fields } = yield* jsonOnly(request)
      return yield* strategies.put(account, id, fields)
    })

    return handlers
      .handleRaw("list", ({ urlParams }) => refuse(list(urlParams)))
      .handleRaw("create", (creation) => refuse(create(creation)))
      .handle("get", ({ path }) =>
        refuse(Effect.flatMap(Caller, ({ account }) => strategies.get(account, path.id)))
      )
      .handleRaw("update", ({ path, request }) => refuse(update(path.id, request)))
      .handle("remove", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.as(
              strategies.remove(account, path.id),
              Answers.done("the strategy is deleted, and its bot with it")
            )
          )
        )
      )
  })
)
