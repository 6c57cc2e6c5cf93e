// `signalbox notify pair`, `chats` and `unpair`: who may give commands from a chat. The code is shown once, here.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { chatView, invitationView } from "../../api/Chats.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Notifications } from "../../services/Notifications.ts"
import { database, json, onStored } from "../program/shared.ts"
import { columns, moment } from "../program/table.ts"
import { usage } from "../program/usage.ts"
import { id, NotifyFailed, notifying, sending, targetOf } from "./Ports.ts"

export const pair = Command.make("pair", { id, json, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const target = yield* targetOf(options.id)
    const { code, ...invitation } = yield* Effect.flatMap(Notifications, (it) =>
      it.pair(target.account, target.id)
    ).pipe(
      Effect.catchTag("Violations", () => usage("only the bot of a telegram notification hears commands"))
    )
    const view = invitationView(invitation, Redacted.value(code))
    if (options.json) return yield* Console.log(JSON.stringify(view))
    const bot = view.bot === null ? "the bot" : `@${view.bot}`
    yield* Console.log(
      [
        `/pair ${view.code}`,
        "",
        `Send this line to ${bot} within ten minutes, while the server runs. It counts once.`,
        ...(view.link === null
          ? []
          : [`On a phone or desktop with Telegram this link does it: ${view.link}`]),
        ...(view.problem === null ? [] : [`The bot could not be asked for its name: ${view.problem}.`]),
        "Whoever sends it may read this account's records and stop its bots from that chat. Nothing that raises risk goes through a chat."
      ].join("\n")
    )
  }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(
  Command.withDescription("show a code that pairs a chat with a telegram bot, to read and to stop from there")
)

export const chats = Command.make("chats", { json, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const rows = yield* all
    if (options.json)
      return yield* Console.log(
        JSON.stringify(rows.map(({ account, pairing }) => ({ account, ...chatView(pairing) })))
      )
    if (rows.length === 0)
      return yield* Console.log("No chat is paired: signalbox notify pair and a telegram notification's id")
    yield* Console.log(
      columns(
        ["id", "account", "notification", "name", "paired"],
        rows.map(({ account, pairing }) => [
          String(pairing.id),
          account,
          String(pairing.target),
          pairing.name,
          moment(pairing.pairedAt)
        ])
      )
    )
  }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(Command.withDescription("list paired chats: who may read and stop bots from Telegram"))

const chat = Args.integer({ name: "chat-id" }).pipe(
  Args.withDescription("the paired chat's id, as signalbox notify chats shows it")
)

export const unpair = Command.make("unpair", { chat, db: database, ...sending }, (options) =>
  Effect.gen(function* () {
    const found = (yield* all).find(({ pairing }) => pairing.id === options.chat)
    if (found === undefined)
      return yield* new NotifyFailed({ message: `there is no paired chat ${options.chat}` })
    const { account, id } = found.pairing
    yield* Effect.flatMap(Notifications, (it) => it.unpair(account, id))
    yield* Console.log(`Chat ${id} is paired no more.`)
  }).pipe(Effect.provide(notifying(options)), onStored(options.db))
).pipe(Command.withDescription("end a pairing: the chat reads and stops nothing any more"))

/** The operator's view: the paired chats of all accounts. */
const all = Effect.gen(function* () {
  const accounts = yield* Effect.flatMap(Accounts, (accounts) => accounts.all)
  const { chats } = yield* Notifications
  const found = yield* Effect.forEach(accounts, ({ id, name }) =>
    Effect.map(chats(id), (pairings) => pairings.map((pairing) => ({ account: name, pairing })))
  )
  return found.flat()
})
