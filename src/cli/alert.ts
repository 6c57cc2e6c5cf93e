// `signalbox alert test`: asks the running server what an alert would do now. The server stores and orders nothing.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ALERT_PATH } from "../api/AlertOperations.ts"
import { Tested } from "../api/Alerts.ts"
import { ALERT_TYPES } from "../domain/Alert.ts"
import { detailsText } from "../domain/alert/InstructionText.ts"
import { Accounts } from "../services/Accounts.ts"
import { database, json, onStored } from "./program/shared.ts"
import { plain } from "./program/table.ts"
import { usage } from "./program/usage.ts"
import * as Address from "./signal/Address.ts"
import { owned } from "./signal/Owned.ts"

/** The server did not test the alert: exit code 1. */
class NotTested extends Data.TaggedError("NotTested")<{ readonly message: string }> {}

const type = Args.text({ name: "type" }).pipe(Args.withDescription(`one of ${ALERT_TYPES.join(", ")}`))
const pair = Args.text({ name: "pair" }).pipe(Args.withDescription("like BTC/USDT"))
const tp = Options.float("tp").pipe(Options.optional, Options.withDescription("take-profit price"))
const sl = Options.float("sl").pipe(Options.optional, Options.withDescription("stop-loss price"))
const closePercent = Options.float("close-percent").pipe(
  Options.optional,
  Options.withDescription("the part of the position that a closing alert closes, in percent")
)
const reverse = Options.choice("reverse", ["true", "false"]).pipe(
  Options.optional,
  Options.withDescription("with long and short: whether the other side is closed first")
)
const tps = Options.text("tps").pipe(
  Options.optional,
  Options.withDescription('a ladder of targets as JSON, like [{"price":70000,"percent":50}]')
)
const buyPercentage = Options.float("buy-percentage").pipe(
  Options.optional,
  Options.withDescription("the size of this entry, in place of each strategy's own")
)
const server = Options.text("server").pipe(
  Options.optional,
  Options.withDescription(
    "address of the running server; by default this machine, at SIGNALBOX_HOST and SIGNALBOX_PORT"
  )
)

const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the signal's id, as signalbox signal list shows it")
)
const extras = { closePercent, reverse, tps, buyPercentage }
const options = { id, type, pair, tp, sl, ...extras, server, json, db: database }

/** Asks the running server, which alone knows the prices and the bots, with a token made for this one question. */
const test = Command.make("test", options, (options) =>
  Effect.gen(function* () {
    const url = yield* Option.match(options.server, {
      onNone: () => Address.own,
      onSome: (text) =>
        Option.match(Address.parse(text), {
          onNone: () => usage("--server takes an address, like http://127.0.0.1:8080"),
          onSome: Effect.succeed
        })
    })
    const signal = yield* owned(options.db, options.id, undefined)
    const alert = {
      signal_id: signal.id,
      type: options.type,
      symbol: options.pair,
      tp: Option.getOrNull(options.tp),
      sl: Option.getOrNull(options.sl),
      close_percent: Option.getOrNull(options.closePercent),
      reverse: Option.getOrNull(options.reverse),
      tps: Option.getOrNull(options.tps),
      buy_percentage: Option.getOrNull(options.buyPercentage),
      test: true
    }
    const answer = yield* Effect.scoped(
      Effect.flatMap(passing(signal.account), (token) => ask(`${url}${ALERT_PATH}`, token, alert))
    )
    const tested = yield* Effect.mapError(
      decode(answer),
      () => new NotTested({ message: `the server at ${url} does not support test alerts` })
    )
    yield* Console.log(options.json ? JSON.stringify(tested) : resultText(tested))
  }).pipe(onStored(options.db))
).pipe(
  Command.withDescription(
    "show what each strategy that follows a signal would do with an alert now, without doing it; asks the running server"
  )
)

export const alert = Command.make("alert").pipe(
  Command.withDescription("test an alert; nothing is stored or ordered"),
  Command.withSubcommands([test])
)

/**
 * The token expires after this time even if the command dies before it revokes it. A response may take `PATIENCE_MS`.
 */
const TOKEN_SECONDS = 60
const PATIENCE_MS = 10_000

/** Issues a token and revokes it when the scope closes. */
const passing = (account: string) =>
  Effect.flatMap(Accounts, (accounts) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          accounts.issue(account, "full", Option.some(Math.floor(now / 1000) + TOKEN_SECONDS))
        ),
        ({ token }) => Effect.ignore(accounts.revoke(token.id))
      ),
      ({ secret }) => Redacted.value(secret)
    )
  )

const ask = (url: string, token: string, alert: object) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(alert),
        signal: AbortSignal.timeout(PATIENCE_MS)
      })
      return { isDone: response.ok, text: await response.text() }
    },
    catch: () =>
      new NotTested({ message: `no server answers at ${url}: start it, or give its address with --server` })
  }).pipe(
    Effect.filterOrElse(
      ({ isDone }) => isDone,
      ({ text }) => Effect.flatMap(problemOf(text), (message) => new NotTested({ message }))
    ),
    Effect.map(({ text }) => text)
  )

const decode = Schema.decodeUnknown(Schema.parseJson(Tested))
const decodeProblem = Schema.decodeUnknown(
  Schema.parseJson(
    Schema.Struct({
      message: Schema.String,
      errors: Schema.Record({ key: Schema.String, value: Schema.Array(Schema.String) })
    })
  )
)

const problemOf = (text: string) =>
  decodeProblem(text).pipe(
    Effect.map(({ errors, message }) => {
      const violations = Object.entries(errors).flatMap(([field, texts]) =>
        texts.map((it) => `${field} ${it}`)
      )
      return violations.length === 0 ? message : violations.join("; ")
    }),
    Effect.orElseSucceed(() => "the server refused the alert without a reason")
  )

const resultText = ({ alert, outcomes }: Tested): string =>
  [
    `${alert.type} ${alert.coin}/${alert.quote_currency} to signal ${alert.signal_id}: a test, nothing was done.`,
    ...detailsText(alert).map((text) => `It ${text}.`),
    ...alert.warnings.map((warning) => `Warning: ${plain(warning)}`),
    ...(outcomes.length === 0 ? ["No strategy of this account follows the signal."] : []),
    ...outcomes.flatMap(({ name, reason, steps, strategy_id, text }) => [
      `Strategy ${strategy_id}, ${plain(name)}: ${reason ?? "waits"} (${text})`,
      ...steps.map((step) => `  ${step}`)
    ])
  ].join("\n")
