// `signalbox notify`: adds, lists, tests and removes notification targets. Their addresses and tokens are read from
// the terminal or standard input, never from arguments.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { targetView } from "../api/Notifications.ts"
import { ChannelKind } from "../domain/Target.ts"
import { Accounts } from "../services/Accounts.ts"
import { Vault } from "../services/money/Vault.ts"
import { Notifications } from "../services/Notifications.ts"
import { Targets } from "../services/notify/Targets.ts"
import { sealedWith } from "../sql/sealing/Resealing.ts"
import { chats, pair, unpair } from "./notify/Chats.ts"
import { id, NotifyFailed, notifying, sending, targetOf, targets } from "./notify/Ports.ts"
import * as Secret from "./notify/Secret.ts"
import { database, json, onStored } from "./program/shared.ts"
import { columns, moment } from "./program/table.ts"
import { usage } from "./program/usage.ts"

const kind = Args.choice<ChannelKind>(
  ChannelKind.literals.map((kind) => [kind, kind]),
  { name: "kind" }
).pipe(Args.withDescription(`one of ${ChannelKind.literals.join(", ")}`))
const account = Options.text("account").pipe(
  Options.optional,
  Options.withDescription("the account whose events are sent; required if there are several")
)
const name = Options.text("name").pipe(Options.optional, Options.withDescription("a name for lists"))
const chat = Options.text("chat").pipe(
  Options.optional,
  Options.withDescription("for telegram: the chat's number, or @its_name")
)
const events = Options.text("events").pipe(
  Options.optional,
  Options.withDescription("kinds of events, separated by commas; by default the important ones")
)

const add = Command.make(
  "add",
  { kind, account, name, chat, events, json, db: database, ...sending },
  (options) =>
    Effect.gen(function* () {
      const owner = yield* ownerOf(options.account)
      const { chat, events, kind, name } = options
      const secrets = yield* Secret.ask(kind)
      const notifications = yield* Notifications
      const { ready } = yield* Vault
      const master = yield* ready(yield* sealedWith)
      const { secret, target } = yield* notifications
        .create(owner, {
          kind,
          ...secrets,
          ...(Option.isNone(name) ? {} : { name: name.value }),
          ...(Option.isNone(chat) ? {} : { chat_id: chat.value }),
          ...(Option.isNone(events) ? {} : { events: events.value.split(",").map((it) => it.trim()) })
        })
        .pipe(Effect.catchTag("Violations", ({ message }) => usage(message)))
      const shown = secret === undefined ? undefined : Redacted.value(secret)
      if (options.json)
        return yield* Console.log(
          JSON.stringify({
            ...targetView(target, 0),
            ...(shown === undefined ? {} : { secret: shown }),
            master_key: { id: master.id, from: master.where }
          })
        )
      if (shown !== undefined)
        yield* Console.log(
          `${shown}\n\nThis is the secret of its signatures (Standard Webhooks). It is shown only this once.`
        )
      yield* Console.log(
        `Notification ${target.id} is sent these events: ${target.kinds.join(", ")}.\n` +
          `Its secrets are sealed with ${master.isNew ? "a new master key" : "master key"} ${master.id} (${master.where}), which is in no backup: keep a copy of it elsewhere.\n` +
          `Try it: signalbox notify test ${target.id}`
      )
    }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(
  Command.withDescription(
    "add a notification; asks for addresses and tokens, or reads them from standard input"
  )
)

const list = Command.make("list", { json, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const names = new Map((yield* (yield* Accounts).all).map(({ id, name }) => [id, name]))
    const notifications = yield* Notifications
    const standings = yield* Effect.forEach([...names.keys()], notifications.list)
    const rows = standings.flat().map(({ pending, target }) => ({
      account: names.get(target.account) ?? "",
      ...targetView(target, pending)
    }))
    if (options.json) return yield* Console.log(JSON.stringify(rows))
    if (rows.length === 0) return yield* Console.log("There are no notifications yet: signalbox notify add")
    const when = (seconds: number | null) => (seconds === null ? "never" : moment(seconds))
    yield* Console.log(
      columns(
        ["id", "account", "kind", "name", "to", "state", "waiting", "last delivered", "last failure"],
        rows.map((it) => [
          String(it.id),
          it.account,
          it.kind,
          it.name,
          it.to,
          it.state,
          String(it.pending),
          when(it.last_success_at),
          it.last_failure === null ? "never" : `${when(it.last_failure_at)}: ${it.last_failure}`
        ])
      )
    )
  }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(Command.withDescription("list notifications: what was delivered, what failed and what waits"))

const test = Command.make("test", { id, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const target = yield* targetOf(options.id)
    const failure = yield* Effect.flatMap(Notifications, (it) => it.test(target.account, target.id))
    if (failure !== undefined)
      return yield* new NotifyFailed({ message: `the test was not delivered: ${failure}` })
    yield* Console.log("The test was delivered.")
  }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(Command.withDescription("send a test message now; if it arrives, a failing notification works again"))

const remove = Command.make("remove", { id, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const target = yield* targetOf(options.id)
    yield* Effect.flatMap(Targets, (targets) => targets.remove(target.account, target.id))
    yield* Console.log(`Notification ${target.id} is removed.`)
  }).pipe(Effect.provide(targets), onStored(options.db))
).pipe(Command.withDescription("delete a notification with its address and secrets"))

export const notify = Command.make("notify").pipe(
  Command.withSubcommands([add, list, test, remove, pair, chats, unpair])
)

const ownerOf = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const accounts = yield* Effect.flatMap(Accounts, (accounts) => accounts.all)
  const name = Option.getOrUndefined(named)
  if (name === undefined && accounts.length > 1)
    return yield* usage(`choose an account with --account: ${accounts.map((it) => it.name).join(", ")}`)
  const found = accounts.find((it) => name === undefined || it.name === name)
  if (found === undefined)
    return yield* new NotifyFailed({
      message: "there is no such account: create one with signalbox token create --account NAME"
    })
  return found.id
})
