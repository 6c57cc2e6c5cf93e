// `signalbox backtest`: runs a strategy over candles and alerts from files, with the same rules that trade live.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Arr from "effect/Array"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { STARTING_BALANCES, startingBalanceOf } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import { isPair, type Pair } from "../domain/Market.ts"
import type { MarketFile } from "../domain/market/MarketFile.ts"
import { AMOUNT_WORDS, isAmount } from "../domain/requests/Bounds.ts"
import type { Settings } from "../domain/Strategy.ts"
import { factsOf } from "../services/feeds/MarketFacts.ts"
import * as Backtest from "../trading/Backtest.ts"
import type { Filled, Outcome } from "../trading/backtest/BacktestView.ts"
import * as FillsView from "../trading/backtest/FillsView.ts"
import { warningsOf } from "../trading/backtest/RunWarnings.ts"
import { overrunText } from "../trading/Overrun.ts"
import { reportOf } from "./backtest/backtestReport.ts"
import * as Database from "./backtest/database.ts"
import { equityPlot } from "./backtest/equityPlot.ts"
import { type AlertsRead, readAlerts, readMarket, readStrategy } from "./backtest/files.ts"
import * as Fills from "./backtest/fills.ts"
import * as Range from "./backtest/range.ts"
import { report, table } from "./backtest/report.ts"
import * as Rule from "./backtest/rule.ts"
import * as Series from "./backtest/series.ts"
import * as Progress from "./program/progress.ts"
import * as ReportFile from "./program/reportFile.ts"
import { json } from "./program/shared.ts"
import { moment } from "./program/table.ts"
import { usage } from "./program/usage.ts"

/** The bot made more decisions at one candle than are allowed: exit code 1. */
class Overrun extends Data.TaggedError("Overrun")<{ readonly at: number }> {
  override get message() {
    return overrunText(`${moment(this.at / 1000)} UTC`)
  }
}

export const strategy = Options.text("strategy").pipe(
  Options.withDescription(
    "a JSON file with the strategy, in the fields of POST /v1/strategies, or as GET answers it"
  )
)
export const alerts = Options.text("alerts").pipe(
  Options.optional,
  Options.withDescription(
    "a file of alerts: one JSON object a line, with time (ms) and the fields of an alert; or a charting platform's list of trades as CSV, for the first pair, with times in UTC"
  )
)
export const balance = Options.text("balance").pipe(
  Options.optional,
  Options.withDescription(
    "the starting balance in the strategy's default quote currency; by default 10000 USDT, 10000 USD, 1 BTC or 10 ETH"
  )
)
export const markets = Options.text("market").pipe(
  Options.repeated,
  Options.withDescription(
    "PAIR=FILE.json, a market as market show --json prints it; replaces the built-in one"
  )
)

export const backtest = Command.make(
  "backtest",
  {
    strategy,
    candles: Series.candles,
    anyTime: Series.anyTime,
    from: Range.from,
    to: Range.to,
    alerts,
    rule: Rule.rule,
    signal: Rule.signal,
    listAlerts: Rule.listAlerts,
    balance,
    markets,
    fills: Fills.fills,
    ...Database.options,
    html: ReportFile.html,
    json
  },
  (options) =>
    Effect.gen(function* () {
      const sources = yield* Series.sources(options.candles)
      const range = yield* Range.rangeOf(options)
      yield* ReportFile.permitted(options.html)
      const rule = yield* Rule.chosen(options)
      const fillModel = yield* Fills.modelOf(options.fills)
      const marketFiles = yield* Effect.forEach(options.markets, pairAndFile("--market"))
      const { body, settings } = yield* readStrategy(options.strategy)
      const start = yield* balanceOf(options.balance, settings)
      const overrides = new Map<Pair, MarketFile>()
      for (const { file, pair } of marketFiles) overrides.set(pair, yield* readMarket(file))
      const facts = factsOf(yield* Database.catalogue(options), overrides)
      const looksBack = Option.isSome(rule)
      const series = yield* Series.read(sources, settings, facts.market, { ...options, range, looksBack })
      const sent = Option.isSome(rule)
        ? yield* Rule.alertsOf(rule.value, series, range)
        : yield* alertsOf(sources, { ...options, range })
      const fills = yield* Fills.groundOf(fillModel, series, options.db)
      const setup = { settings, balance: start, series, ...facts, ...fills }
      const outcome = yield* tested(setup, sent, options.json)
      const made = report(outcome, options.listAlerts)
      yield* Console.log(options.json ? JSON.stringify(made) : table(made))
      const { columns, isTTY } = process.stdout
      if (isTTY && !options.json) yield* Console.log(equityPlot(made.points, settings.quote, columns))
      if (Option.isSome(options.html)) yield* ReportFile.write(options.html.value, reportOf(outcome, body))
    })
).pipe(Command.withDescription("run a strategy over candles, with the same rules that trade live"))

/** The alerts of a file, or those that a rule raised. */
interface Sent extends AlertsRead {
  readonly rule?: Outcome["rule"]
}

/** Runs the back-test with a progress bar. */
const tested = (
  setup: Omit<Backtest.Backtest, "alerts">,
  { alerts, rule, skipped }: Sent,
  json: boolean
): Effect.Effect<Outcome, Overrun> =>
  Effect.gen(function* () {
    const total = setup.series.reduce((sum, { columns }) => sum + columns.length, 0)
    const bar = yield* Progress.bar({ unit: "candles", total, json })
    const fills: Array<Filled> = []
    const filled: Backtest.Backtest["filled"] = (order, fill) => void fills.push({ order, fill })
    const run = Effect.sync(() => Backtest.run({ ...setup, alerts, filled, progress: bar.show }))
    const [took, result] = yield* Effect.timed(Effect.ensuring(run, Effect.sync(bar.clear)))
    if (result.overrunAt !== undefined) return yield* new Overrun({ at: result.overrunAt })
    const { series, settings } = setup
    const warnings = warningsOf({ ...setup, alerts })
    const elapsedMs = Duration.toMillis(took)
    const nearer = FillsView.viewOf({ ...setup, alerts }, result)
    return {
      ...{ settings, series, result, fills, alerts: alerts.length, skipped, warnings, elapsedMs },
      ...(rule === undefined ? {} : { rule }),
      ...(nearer === undefined ? {} : { nearer })
    }
  })

/**
 * The alerts of the file that lie in the range; none without a file. A list of trades names no pair and gets the
 * first one.
 */
export const alertsOf = (
  [first]: Arr.NonEmptyReadonlyArray<Series.Source>,
  options: {
    readonly alerts: Option.Option<string>
    readonly range: Range.Range
    readonly anyTime: boolean
  }
) =>
  Option.match(options.alerts, {
    onNone: () => Effect.succeed<AlertsRead>({ alerts: [], skipped: [] }),
    onSome: (file) =>
      Effect.gen(function* () {
        const read = yield* readAlerts(file, first.pair, yield* Series.timesOf(options))
        return { ...read, alerts: read.alerts.filter(({ at }) => Range.within(options.range, at)) }
      })
  })

export const pairAndFile = (option: string) => (text: string) => {
  const at = text.indexOf("=")
  const pair = text.slice(0, Math.max(at, 0)).toUpperCase()
  const file = text.slice(at + 1)
  return isPair(pair) && file !== ""
    ? Effect.succeed({ pair, file })
    : usage(`${option} takes PAIR=FILE, like BTC/USDT=candles.csv`)
}

export const balanceOf = (text: Option.Option<string>, settings: Settings) => {
  if (Option.isNone(text)) return Effect.succeed(startingBalanceOf(STARTING_BALANCES, settings.quote))
  const amount = text.value.trim() === "" ? Option.none() : Decimal.fromText(text.value)
  return Option.isNone(amount) || !isAmount(Decimal.toNumber(amount.value))
    ? usage(`--balance takes ${AMOUNT_WORDS}`)
    : Effect.succeed(amount.value)
}
