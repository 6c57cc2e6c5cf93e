// The routes of notifications. A webhook's secret appears in the first response alone, and never in a stored one.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { chatView, invitationView } from "../../api/Chats.ts"
import { NewTarget, targetView } from "../../api/Notifications.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import type { Target } from "../../domain/Target.ts"
import type { VaultLocked } from "../../services/money/Vault.ts"
import { Notifications } from "../../services/Notifications.ts"
import { refuse } from "../Problems.ts"
import { RequestRejected } from "../RequestRejected.ts"
import * as IdempotentCreation from "../request/IdempotentCreation.ts"
import { jsonOnly } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"
import * as RecordReads from "./RecordReads.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(NewTarget)))

/** The response to a creation, with or without its secret. */
const answerOf = (target: Target, secret: Redacted.Redacted | undefined) => ({
  status: 201,
  location: `/v1/notifications/${target.id}`,
  body: encode({
    ...targetView(target, 0),
    ...(secret === undefined ? {} : { secret: Redacted.value(secret) })
  })
})

/** The place of the master key is for the operator's log, not for callers. */
const sealedNowhere = ({ reason }: VaultLocked) =>
  Effect.zipRight(
    Effect.logWarning(`a notification could not be sealed: ${reason}`),
    Effect.fail(
      new RequestRejected({
        kind: [503, "vault_locked"],
        message: "the server cannot seal it: it has no master key; its log says why"
      })
    )
  )

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "notifications", (handlers) =>
  Effect.gen(function* () {
    const notifications = yield* Notifications
    const list = RecordReads.ofNotifications(notifications)
    const once = yield* IdempotentCreation.make
    const chats = chatsOf(notifications)

    const create = Effect.fn("http.Notifications.create")(function* ({
      headers,
      request
    }: IdempotentCreation.Creation) {
      const { account } = yield* Caller
      const { fields, text } = yield* jsonOnly(request)
      // The response stored under a key has no secret: the secret is in this response alone.
      let made: { readonly target: Target; readonly secret: Redacted.Redacted | undefined } | undefined
      const create = notifications.create(account, fields).pipe(
        Effect.map((created) => {
          made = created
          return answerOf(created.target, undefined)
        }),
        Effect.catchTag("VaultLocked", sealedNowhere)
      )
      const stored = yield* once(account, headers["idempotency-key"], text, create)
      return made === undefined ? stored : Answers.replay(answerOf(made.target, made.secret))
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
      .handle("pair", ({ path }) => refuse(chats.pair(path.id)))
      .handle("chats", () => chats.list)
      .handle("unpair", ({ path }) => refuse(chats.unpair(path.id)))
  })
)

/** What is done with paired chats. */
const chatsOf = (notifications: typeof Notifications.Service) => ({
  pair: Effect.fn("http.Notifications.pair")(function* (id: number) {
    const { account } = yield* Caller
    const { code, ...invitation } = yield* notifications.pair(account, id)
    return invitationView(invitation, Redacted.value(code))
  }),
  list: Effect.flatMap(Caller, ({ account }) =>
    Effect.map(notifications.chats(account), (found) => ({ data: found.map(chatView) }))
  ),
  unpair: (id: number) =>
    Effect.flatMap(Caller, ({ account }) =>
      Effect.as(notifications.unpair(account, id), Answers.done("the chat is paired no more"))
    )
})
