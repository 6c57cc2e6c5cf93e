// `signalbox signal`: lists signals, keeps them as files, and makes a webhook address with a token of its own for one.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { CHARTING_PATH } from "../api/AlertOperations.ts"
import { templateView } from "../api/Signals.ts"
import * as AlertTemplate from "../domain/requests/AlertTemplate.ts"
import { Accounts } from "../services/Accounts.ts"
import { database, json, onStored } from "./program/shared.ts"
import { columns, plain } from "./program/table.ts"
import * as Address from "./signal/Address.ts"
import { apply, exported } from "./signal/Files.ts"
import { owned, ownedIn } from "./signal/Owned.ts"

const account = Options.text("account").pipe(
  Options.optional,
  Options.withDescription("only signals of this account")
)
const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the signal's id, as signalbox signal list shows it")
)
const base = Options.text("base").pipe(
  Options.optional,
  Options.withDescription(
    "the address at which the charting platform reaches the server, like https://bots.example.org; by default this machine's"
  )
)

const list = Command.make("list", { account, json, db: database }, (options) =>
  Effect.gen(function* () {
    const signals = yield* ownedIn(options.db, Option.getOrUndefined(options.account))
    if (options.json) return yield* Console.log(JSON.stringify(signals))
    if (signals.length === 0)
      return yield* Console.log(
        "There is no signal yet: create one in the dashboard, or with POST /v1/signals"
      )
    yield* Console.log(
      columns(
        ["id", "account", "active", "public", "strategies", "name"],
        signals.map(({ account, active, followers, id, name, public: isPublic }) => [
          String(id),
          account,
          yesNo(active),
          yesNo(isPublic),
          String(followers),
          plain(name)
        ])
      )
    )
  })
).pipe(Command.withDescription("list the signals of all accounts, and how many strategies follow each"))

const url = Command.make("url", { id, account, base, json, db: database }, (options) =>
  Effect.gen(function* () {
    const base = yield* Option.match(options.base, {
      onNone: () => Address.own,
      onSome: Address.named
    })
    const signal = yield* owned(options.db, options.id, Option.getOrUndefined(options.account))
    const { secret, token } = yield* Effect.flatMap(Accounts, (accounts) =>
      accounts.issue(signal.account, "alerts", Option.none())
    )
    const template = AlertTemplate.make(`${base}${CHARTING_PATH}`, signal.id, Redacted.value(secret))
    if (options.json) {
      const made = { account: signal.account, token_id: token.id, scope: token.scope }
      return yield* Console.log(JSON.stringify({ ...templateView(signal.id, template), ...made }))
    }
    yield* Console.log(
      templateText(template, [
        `Token ${token.id} of ${signal.account} was made for it, with scope alerts: it can send alerts and do nothing else.`,
        `The address is shown only this once. To revoke it: signalbox token revoke ${token.id}`,
        ...(signal.active ? [] : ["The signal is inactive: it takes no alerts until it is switched on."]),
        ...(Address.isLocal(base) ? [LOCAL] : [])
      ])
    )
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription(
    "make a webhook address for a signal, and messages to paste into a charting platform"
  )
)

const LOCAL =
  "Only this machine can reach that address: use --base https://your-server.example to give the public one"

export const signal = Command.make("signal").pipe(
  Command.withDescription("list signals, keep them as files, and set up a charting platform for one"),
  Command.withSubcommands([list, url, exported, apply])
)

/** Text to paste stands on lines of its own. */
const templateText = (template: AlertTemplate.AlertTemplate, notes: ReadonlyArray<string>): string =>
  [
    "Webhook address:",
    "",
    template.url,
    "",
    ...notes,
    "",
    "Message for a strategy's alert:",
    "",
    template.strategy.message,
    "",
    "Messages for other alerts, one each:",
    "",
    ...template.alerts.map(({ about, message }) => `${message}\n  ${about}`),
    "",
    "Without any message, the whole alert in the address:",
    "",
    template.urlAlone
  ].join("\n")

const yesNo = (flag: boolean): string => (flag ? "yes" : "no")
