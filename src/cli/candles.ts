// `signalbox candles`: downloads past candles, lists what is stored, and removes what was downloaded.
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SETTINGS } from "../Config.ts"
import * as Addresses from "../ccxt/Addresses.ts"
import { load } from "../ccxt/load.ts"
import * as Pauses from "../ccxt/Pauses.ts"
import { type CandleSeries, DAY_MS, seriesText } from "../domain/candles/CandleSeries.ts"
import { millisOf, TIMEFRAMES } from "../domain/candles/Timeframe.ts"
import { isPair, MarketNotFound } from "../domain/Market.ts"
import * as ExchangePages from "../prices/history/ExchangePages.ts"
import * as StoredCandles from "../prices/StoredCandles.ts"
import { dataFolderOf } from "../prices/tape/Place.ts"
import { download as downloaded } from "../services/feeds/CandleDownload.ts"
import { CandleStore } from "../services/feeds/CandleStore.ts"
import type { Heard } from "../services/feeds/PageRetry.ts"
import { dayOf } from "./backtest/range.ts"
import * as Funding from "./candles/funding.ts"
import * as Report from "./candles/report.ts"
import { option } from "./config/options.ts"
import { exchangeNamed } from "./exchange.ts"
import * as Progress from "./program/progress.ts"
import { byDefault, json } from "./program/shared.ts"
import { usage } from "./program/usage.ts"

const exchange = Args.text({ name: "exchange" }).pipe(Args.withDescription("like binance"))
const pair = Args.text({ name: "pair" }).pipe(Args.withDescription("like BTC/USDT"))
const kind = byDefault(
  Options.choice("kind", ["spot", "swap"]),
  "spot",
  "spot, or swap for the pair's linear perpetual"
)
const timeframe = byDefault(Options.choice("timeframe", TIMEFRAMES), "1m", "the length of a candle")
const from = Options.text("from").pipe(
  Options.withDescription("the first day to download, like 2026-11-01 (UTC)")
)
const to = Options.text("to").pipe(
  Options.optional,
  Options.withDescription(
    "the last day to download, like 2026-11-30 (UTC); by default today, as far as it is over"
  )
)

const progress = Options.boolean("progress").pipe(
  Options.withDescription("tell the progress on standard error, a line of JSON each time, in place of a bar")
)

/** Candles lie beside this file, also where records are on Postgres. */
const database = option(SETTINGS.db)

const seriesOf = (options: {
  readonly exchange: string
  readonly pair: string
  readonly kind: "spot" | "swap"
  readonly timeframe: CandleSeries["timeframe"]
}) =>
  Effect.gen(function* () {
    const { kind, timeframe } = options
    const name = yield* exchangeNamed(options.exchange)
    const pair = options.pair.toUpperCase()
    if (!isPair(pair)) return yield* new MarketNotFound({ exchange: name, pair: options.pair, kind })
    return { exchange: name, pair, kind, timeframe } satisfies CandleSeries
  })

const stored = (db: string) => StoredCandles.layer({ folder: dataFolderOf(db) })

const download = Command.make(
  "download",
  {
    exchange,
    pair,
    kind,
    timeframe,
    from,
    to,
    progress,
    json,
    db: database,
    exchangeUrls: option(SETTINGS.exchangeUrls)
  },
  (options) =>
    Effect.gen(function* () {
      const series = yield* seriesOf(options)
      const urls = Addresses.parse(options.exchangeUrls)
      if (Either.isLeft(urls)) return yield* usage(`--exchange-urls ${urls.left}`)
      const { first, last } = yield* daysOf(options)
      const request = { series, from: first, until: last + DAY_MS }
      const bar = progressOf(request.until - first, series, options.json)
      const { heard, shown } = options.progress ? LINES : bar
      const pauses = Pauses.make()
      const pages = ExchangePages.layer({
        pauses,
        open: (name) => load(name, urls.right.get(name), { heard: (until) => pauses.pause(name, until) })
      })
      const result = yield* shown(downloaded(request, heard)).pipe(
        Effect.provide(Layer.merge(pages, stored(options.db)))
      )
      yield* Console.log(
        options.json
          ? JSON.stringify(Report.downloadFacts(request, result))
          : Report.downloadText(series, result)
      )
    })
).pipe(
  Command.withDescription(
    "download an exchange's candles, a file for each day; goes on where it was cut off, and fetches no day twice"
  )
)

/** The first and the last day (ms) that the options name. */
const daysOf = (options: { readonly from: string; readonly to: Option.Option<string> }) =>
  Effect.gen(function* () {
    const first = yield* dayOf("--from", options.from)
    const last = Option.isSome(options.to) ? yield* dayOf("--to", options.to.value) : yield* today
    return first > last ? yield* usage("--from is after --to") : { first, last }
  })

const today = Effect.map(
  Effect.clock,
  (clock) => clock.unsafeCurrentTimeMillis() - (clock.unsafeCurrentTimeMillis() % DAY_MS)
)

/** A progress bar in candles, which also tells of the pauses that the exchange wants. */
const progressOf = (stretch: number, { exchange, timeframe }: CandleSeries, json: boolean) => {
  const state = { done: 0, total: stretch / millisOf(timeframe), unit: "candles" }
  const heard: Heard = (news) => {
    state.unit = "candles"
    if (news._tag === "Progress") Object.assign(state, { done: news.done, total: news.total })
    else state.unit = `candles (${exchange}: ${news.reason}; trying again in ${Math.ceil(news.ms / 1000)} s)`
  }
  const work: Progress.Work = {
    json,
    get unit() {
      return state.unit
    },
    get total() {
      return state.total
    }
  }
  return { heard, shown: Progress.during(work, () => state.done) }
}

/** Progress for programs. */
const LINES: ReturnType<typeof progressOf> = {
  heard: (news) => process.stderr.write(`${JSON.stringify(news)}\n`),
  shown: (self) => self
}

const funding = Command.make(
  "funding",
  { exchange, pair, from, to, json, db: database, exchangeUrls: option(SETTINGS.exchangeUrls) },
  (options) =>
    Effect.gen(function* () {
      const exchange = yield* exchangeNamed(options.exchange)
      const urls = Addresses.parse(options.exchangeUrls)
      if (Either.isLeft(urls)) return yield* usage(`--exchange-urls ${urls.left}`)
      const { first, last } = yield* daysOf(options)
      yield* Funding.funding({
        ...{ exchange, pair: options.pair, from: first, until: last + DAY_MS },
        ...{ db: options.db, json: options.json },
        open: (name) => load(name, urls.right.get(name))
      })
    })
).pipe(
  Command.withDescription(
    "download the past funding rates of a pair's perpetual, for back-tests with --fills funding=on; goes on where it was cut off"
  )
)

const list = Command.make("list", { json, db: database }, (options) =>
  Effect.gen(function* () {
    const holdings = yield* Effect.flatMap(CandleStore, (store) => store.holdings)
    if (options.json) return yield* Console.log(JSON.stringify(holdings.map(Report.holdingFacts)))
    yield* Console.log(holdings.length === 0 ? Report.NOTHING : Report.holdingsTable(holdings))
  }).pipe(Effect.provide(stored(options.db)))
).pipe(Command.withDescription("list the stored candles: recorded and downloaded, with their holes"))

const remove = Command.make("remove", { exchange, pair, kind, timeframe, json, db: database }, (options) =>
  Effect.gen(function* () {
    const series = yield* seriesOf(options)
    const days = yield* Effect.flatMap(CandleStore, (store) => store.remove(series))
    yield* Console.log(
      options.json
        ? JSON.stringify({ ...series, days_removed: days })
        : `${days} downloaded ${days === 1 ? "day" : "days"} of ${seriesText(series)} removed; what the server recorded stays.`
    )
  }).pipe(Effect.provide(stored(options.db)))
).pipe(Command.withDescription("remove the downloaded candles of a market; recorded ones stay"))

export const candles = Command.make("candles").pipe(
  Command.withDescription(
    "download past candles from an exchange, for back-tests, sweeps and replays; list and remove them; works while the server runs"
  ),
  Command.withSubcommands([download, funding, list, remove])
)
