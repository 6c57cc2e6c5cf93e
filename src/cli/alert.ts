// `signalbox alert test`: asks the running server what an alert would do now. The server stores and orders nothing.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ALERT_PATH } from "../api/AlertOperations.ts"
import { Tested } from "../api/Alerts.ts"
import { ALERT_TYPES } from "../domain/Alert.ts"
import { detailsText } from "../domain/alert/InstructionText.ts"
import { addressOf, ask, ServerRefused, server } from "./program/runningServer.ts"
import { database, json, onStored } from "./program/shared.ts"
import { plain } from "./program/table.ts"
import { owned } from "./signal/Owned.ts"

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
const id = Args.integer({ name: "id" }).pipe(
  Args.withDescription("the signal's id, as signalbox signal list shows it")
)
const extras = { closePercent, reverse, tps, buyPercentage }
const options = { id, type, pair, tp, sl, ...extras, server, json, db: database }

const test = Command.make("test", options, (options) =>
  Effect.gen(function* () {
    const url = yield* addressOf(options.server)
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
    const { text } = yield* ask(url, signal.account, { method: "POST", path: ALERT_PATH, body: alert })
    const tested = yield* Effect.mapError(
      decode(text),
      () => new ServerRefused({ message: `the server at ${url} does not support test alerts` })
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

const decode = Schema.decodeUnknown(Schema.parseJson(Tested))
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
