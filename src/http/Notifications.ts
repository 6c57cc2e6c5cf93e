import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Api } from "../api/Api.ts"
import { NewTarget, targetView } from "../api/Notifications.ts"
import { Caller } from "../api/Security.ts"
import { Notifications } from "../services/Notifications.ts"
import * as Answers from "./Answers.ts"
import * as Once from "./Once.ts"
import { refuse } from "./Problems.ts"
import { jsonOnly } from "./RecordBody.ts"
import * as RecordReads from "./RecordReads.ts"

const encode = Schema.encodeSync(Schema.parseJson(NewTarget))

/** The notifications of the contract, over the use case. */
export const layer = HttpApiBuilder.group(Api, "notifications", (handlers) =>
  Effect.gen(function* () {
    const notifications = yield* Notifications
    const list = RecordReads.ofNotifications(notifications)
    const once = yield* Once.make

    const create = Effect.fn("http.Notifications.create")(function* ({ headers, request }: Once.Creation) {
      const { account } = yield* Caller
      const { fields, text } = yield* jsonOnly(request)
      const answer = Effect.map(notifications.create(account, fields), ({ secret, target }) => ({
        status: 201,
        location: `/v1/notifications/${target.id}`,
        body: encode({
          ...targetView(target, 0),
          ...(secret === undefined ? {} : { secret: Redacted.value(secret) })
        })
      }))
      return yield* once(account, headers["idempotency-key"], text, answer)
    })
    const test = Effect.fn("http.Notifications.test")(function* (id: number) {
      const { account } = yield* Caller
      const failure = yield* notifications.test(account, id)
      return failure === undefined
        ? { delivered: true, message: "it was delivered" }
        : { delivered: false, message: failure }
    })

    return handlers
      .handle("list", () => list)
      .handleRaw("create", (creation) => refuse(create(creation)))
      .handle("remove", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.as(notifications.remove(account, path.id), Answers.done("the notification is deleted"))
          )
        )
      )
      .handle("test", ({ path }) => refuse(test(path.id)))
  })
)
