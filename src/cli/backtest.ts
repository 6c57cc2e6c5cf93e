// `signalbox backtest`: runs a strategy over candles and alerts from files, with the same rules that trade live.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as Arr from "effect/Array"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { STARTING_BALANCES, startingBalanceOf } from "../domain/Bot.ts"
import * as Decimal from "../domain/Decimal.ts"
import { isPair, type Pair } from "../domain/Market.ts"
import type { MarketFile } from "../domain/market/MarketFile.ts"
import { AMOUNT_WORDS, isAmount } from "../domain/requests/Bounds.ts"
import type { Settings } from "../domain/Strategy.ts"
import { factsOf } from "../services/feeds/MarketFacts.ts"
import { catalogueOf } from "../services/feeds/MemoryMarkets.ts"
import { Markets } from "../services/Markets.ts"
import * as Backtest from "../trading/Backtest.ts"
import { overrunText } from "../trading/Overrun.ts"
import { readAlerts, readMarket, readStrategy } from "./backtest/files.ts"
import * as Range from "./backtest/range.ts"
import { report, table } from "./backtest/report.ts"
import * as Series from "./backtest/series.ts"
import { builtInWords, isThere, json, onStorage } from "./program/shared.ts"
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
export const database = Options.text("db").pipe(
  Options.optional,
  Options.withDescription("use the markets of this database, and the recorded candles beside it")
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
    balance,
    markets,
    db: database,
    json
  },
  (options) =>
    Effect.gen(function* () {
      const sources = yield* Series.sources(options.candles)
      const range = yield* Range.rangeOf(options)
      const marketFiles = yield* Effect.forEach(options.markets, pairAndFile("--market"))
      const settings = yield* readStrategy(options.strategy)
      const start = yield* balanceOf(options.balance, settings)
      const overrides = new Map<Pair, MarketFile>()
      for (const { file, pair } of marketFiles) overrides.set(pair, yield* readMarket(file))
      const facts = factsOf(yield* catalogueFor(options.db), overrides)
      const series = yield* Series.read(sources, settings, facts.market, { ...options, range })
      const sent = yield* alertsOf(sources, { ...options, range })
      const total = series.reduce((sum, { columns }) => sum + columns.length, 0)
      const bar = progressBar(total)
      const result = yield* Effect.sync(() => {
        const outcome = Backtest.run({
          settings,
          balance: start,
          series,
          alerts: sent,
          ...facts,
          progress: bar.show
        })
        bar.clear()
        return outcome
      })
      if (result.overrunAt !== undefined) return yield* new Overrun({ at: result.overrunAt })
      yield* Console.log(options.json ? JSON.stringify(report(result)) : table(result))
    })
).pipe(Command.withDescription("run a strategy over candles, with the same rules that trade live"))

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
    onNone: () => Effect.succeed([]),
    onSome: (file) =>
      Effect.gen(function* () {
        const alerts = yield* readAlerts(file, first.pair, yield* Series.timesOf(options))
        return alerts.filter(({ at }) => Range.within(options.range, at))
      })
  })

export const catalogueFor = (db: Option.Option<string>) =>
  Option.match(db, {
    onNone: () => Effect.succeed(builtIn),
    onSome: (filename) =>
      // Candles may be recorded beside a database that is elsewhere.
      isThere(filename)
        ? onStorage(filename)(Effect.flatMap(Markets, (markets) => markets.catalogue))
        : Effect.as(Console.error(`signalbox: ${builtInWords(filename)}`), builtIn)
  })

const builtIn = catalogueOf({ exchanges: new Map(), markets: new Map() })

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

const BAR_WIDTH = 30

/** A progress bar on standard error. It appears only on a terminal, and is redrawn once per percent. */
export const progressBar = (total: number) => {
  const { isTTY } = process.stderr
  let drawn = -1
  return {
    show: (done: number) => {
      const percent = Math.floor((done / Math.max(total, 1)) * 100)
      if (!isTTY || percent === drawn) return
      drawn = percent
      const filled = Math.round((percent / 100) * BAR_WIDTH)
      process.stderr.write(`\r[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${percent} %`)
    },
    clear: () => {
      if (isTTY && drawn >= 0) process.stderr.write(`\r${" ".repeat(BAR_WIDTH + 10)}\r`)
    }
  }
}
