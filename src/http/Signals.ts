import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { CHARTING_PATH } from "../api/AlertDoors.ts"
import { Api } from "../api/Api.ts"
import { Caller } from "../api/Security.ts"
import { SignalList, SignalView, templateView, view } from "../api/Signals.ts"
import * as AlertTemplate from "../domain/AlertTemplate.ts"
import * as SignalRequest from "../domain/SignalRequest.ts"
import { Signals } from "../services/Signals.ts"
import * as Answers from "./Answers.ts"
import * as Once from "./Once.ts"
import * as Pages from "./Pages.ts"
import { refuse } from "./Problems.ts"
import { formOrJson } from "./RecordBody.ts"

const encodeList = Schema.encodeSync(Schema.parseJson(SignalList))
const encode = Schema.encodeSync(Schema.parseJson(SignalView))

/** The signals of the contract, over the port. */
export const layer = HttpApiBuilder.group(Api, "signals", (handlers) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const once = yield* Once.make

    const list = Effect.fn("http.Signals.list")(function* (asked: Pages.Asked) {
      const { account } = yield* Caller
      const page = yield* Pages.read(asked)
      const { headers, rows } = yield* Pages.cut(
        yield* signals.list(account, Pages.after(page)),
        page,
        ({ id }) => id
      )
      return Answers.json(encodeList({ data: rows.map(view) }), 200, headers)
    })
    const create = Effect.fn("http.Signals.create")(function* ({ headers, request }: Once.Creation) {
      const { account } = yield* Caller
      const { dialect, fields, text } = yield* formOrJson(request)
      const answer = Effect.gen(function* () {
        const draft = yield* SignalRequest.parseCreate(dialect, fields)
        const signal = view(yield* signals.create(account, draft))
        return { status: 201, location: `/v1/signals/${signal.id}`, body: encode(signal) }
      })
      return yield* once(account, headers["idempotency-key"], text, answer)
    })
    const update = Effect.fn("http.Signals.update")(function* (
      id: number,
      request: Once.Creation["request"]
    ) {
      const { account } = yield* Caller
      const { dialect, fields } = yield* formOrJson(request)
      const patch = SignalRequest.parseUpdate(dialect, fields)
      // A record that is not there is told before what is wrong with the request for it.
      if (Either.isLeft(patch)) yield* signals.get(account, id)
      const { signal } = yield* signals.update(account, id, yield* patch)
      return view(signal)
    })

    return handlers
      .handleRaw("list", ({ urlParams }) => refuse(list(urlParams)))
      .handleRaw("create", (creation) => refuse(create(creation)))
      .handle("get", ({ path }) =>
        refuse(Effect.flatMap(Caller, ({ account }) => Effect.map(signals.visible(account, path.id), view)))
      )
      .handle("template", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(signals.get(account, path.id), ({ id }) =>
              templateView(id, AlertTemplate.make(CHARTING_PATH, id, AlertTemplate.KEY))
            )
          )
        )
      )
      .handleRaw("update", ({ path, request }) => refuse(update(path.id, request)))
      .handle("remove", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.as(signals.remove(account, path.id), Answers.done("the signal is deleted"))
          )
        )
      )
  })
)
