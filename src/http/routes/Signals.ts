// The routes of signals.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { SignalView } from "../../api/Signals.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import * as SignalRequest from "../../domain/requests/SignalRequest.ts"
import { RuleStatuses } from "../../services/rules/RuleStatus.ts"
import { Signals } from "../../services/Signals.ts"
import { refuse } from "../Problems.ts"
import { Program } from "../Program.ts"
import * as IdempotentCreation from "../request/IdempotentCreation.ts"
import { formOrJson } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"
import * as RecordReads from "./RecordReads.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(SignalView)))

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "signals", (handlers) =>
  Effect.gen(function* () {
    const signals = yield* Signals
    const reads = RecordReads.ofSignals(signals, yield* Program, yield* RuleStatuses)
    const once = yield* IdempotentCreation.make

    const create = Effect.fn("http.Signals.create")(function* ({
      headers,
      request
    }: IdempotentCreation.Creation) {
      const { account } = yield* Caller
      const { dialect, fields, text } = yield* formOrJson(request)
      const answer = Effect.gen(function* () {
        const draft = yield* SignalRequest.parseCreate(dialect, fields)
        const signal = yield* reads.own(yield* signals.create(account, draft))
        return { status: 201, location: `/v1/signals/${signal.id}`, body: encode(signal) }
      })
      return yield* once(account, headers["idempotency-key"], text, answer)
    })
    const update = Effect.fn("http.Signals.update")(function* (
      id: number,
      request: IdempotentCreation.Creation["request"]
    ) {
      const { account } = yield* Caller
      const { dialect, fields } = yield* formOrJson(request)
      const patch = SignalRequest.parseUpdate(dialect, fields)
      // A missing record is reported before violations of the request.
      if (Either.isLeft(patch)) yield* signals.get(account, id)
      const { signal } = yield* signals.update(account, id, yield* patch)
      return yield* reads.own(signal)
    })

    return handlers
      .handleRaw("list", ({ urlParams }) => refuse(reads.list(urlParams)))
      .handleRaw("create", (creation) => refuse(create(creation)))
      .handle("get", ({ path }) => refuse(reads.get(path.id)))
      .handle("template", ({ path }) => refuse(reads.template(path.id)))
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
