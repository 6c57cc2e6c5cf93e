// Ten thousand rules on 500 markets: the close of one minute, from the closed candles to the stored alerts, beside a bare
// loop over the same indicators; and the memory of a rule.
import { heapStats } from "bun:jsc"
import { Clock, Context, Effect, Layer, Option, Scope } from "effect"
import type { CandleSeries } from "../../src/domain/candles/CandleSeries.ts"
import { Pair } from "../../src/domain/Market.ts"
import type { RuleDocument } from "../../src/domain/signalRule/RuleDocument.ts"
import * as Memory from "../../src/Memory.ts"
import { seriesKey } from "../../src/services/feeds/CandleStore.ts"
import { type CandleSource, ClosedCandles } from "../../src/services/rules/ClosedCandles.ts"
import { RuleDesk } from "../../src/services/rules/RuleDesk.ts"
import { Signals } from "../../src/services/Signals.ts"
import { sender } from "../../src/testing/contracts/people.ts"
import { signalDraft } from "../../src/testing/Fixtures.ts"
import type { Bar, Bars } from "../../src/trading/indicators/Plan.ts"
import type { Line } from "./line.ts"

const MARKETS = 500
const RULES_EACH = 20
const RULES = MARKETS * RULES_EACH
const MINUTE = 60_000
const MINUTES = 9
/** The close of a minute takes at most this (ms of the processor's time). */
const MOST_MS = 2_000
/** A bare loop's share of it, at least: the loop has no alerts to store, no candles to take in and nothing to remember. */
const FLOOR = 0.002
/** Kilobytes that a rule takes, at most. */
const MOST_KB = 40
const WARM = 400
const ACCOUNTS = 10

const pairOf = (market: number) => Pair.make(`C${market}/USDT`)

/** Rules that differ in their lengths: on a market, every second shares its fast average with another. */
const documentOf = (index: number): RuleDocument => {
  const place = index % RULES_EACH
  const [fast, slow, length] = [5 + (place >> 1), 20 + place, 7 + (place % 5)]
  return {
    markets: [{ exchange: "binance", kind: "spot", pairs: [pairOf(Math.floor(index / RULES_EACH))] }],
    timeframe: "1m",
    params: {},
    on: [
      {
        type: "buy",
        when: `crossover(ema(close, ${fast}), ema(close, ${slow})) and rsi(close, ${length}) < 70`
      },
      { type: "sell", when: `crossunder(ema(close, ${fast}), ema(close, ${slow}))` }
    ],
    schedule: []
  }
}

/** A candle of a market: a walk that is a function of the time. */
const barOf = (market: number, at: number): Bar => {
  const minute = at / MINUTE
  const close = 100 + 5 * Math.sin((minute + market) / 7) + 3 * Math.sin((minute * 1.7 + market) / 3)
  return { at, open: close, high: close + 1, low: close - 1, close, volume: 1 }
}

const history = ({ pair }: CandleSeries, from: number, until: number): Bars => {
  const market = Number(pair.slice(1, pair.indexOf("/")))
  const first = Math.max(Math.ceil(from / MINUTE) * MINUTE, until - WARM * MINUTE)
  const bars = Array.from({ length: Math.max(0, (until - first) / MINUTE) }, (_, row) =>
    barOf(market, first + row * MINUTE)
  )
  const column = (name: keyof Bar) => Float64Array.from(bars, (bar) => bar[name])
  return {
    ...{ at: column("at"), open: column("open"), high: column("high"), low: column("low") },
    ...{ close: column("close"), volume: column("volume"), length: bars.length }
  }
}

/** Ten accounts with a thousand signals each. */
const signed = Effect.gen(function* () {
  const signals = yield* Signals
  for (let account = 0; account < ACCOUNTS; account++) {
    const { account: id } = yield* sender(`bench${account}`)
    for (let index = account; index < RULES; index += ACCOUNTS)
      yield* signals.create(id, signalDraft({ rule: documentOf(index) }))
  }
})

/** The same indicators in local variables, for all rules one after the other. */
const bareLoop = (from: number) => {
  const rules = Array.from({ length: RULES }, (_, index) => {
    const place = index % RULES_EACH
    return {
      market: Math.floor(index / RULES_EACH),
      a: 2 / (6 + (place >> 1)),
      b: 2 / (21 + place),
      w: 1 / (7 + (place % 5)),
      fast: 100,
      slow: 100,
      gains: 1,
      losses: 1,
      before: 100,
      wasAbove: false
    }
  })
  let at = from
  return () => {
    let found = 0
    for (const rule of rules) {
      const { close } = barOf(rule.market, at)
      rule.fast += rule.a * (close - rule.fast)
      rule.slow += rule.b * (close - rule.slow)
      const change = close - rule.before
      rule.before = close
      rule.gains += rule.w * (Math.max(change, 0) - rule.gains)
      rule.losses += rule.w * (Math.max(-change, 0) - rule.losses)
      const isAbove = rule.fast > rule.slow
      const rsi = 100 - 100 / (1 + rule.gains / rule.losses)
      if (isAbove !== rule.wasAbove && (!isAbove || rsi < 70)) found++
      rule.wasAbove = isAbove
    }
    at += MINUTE
    return found
  }
}

const processorMs = async (run: () => unknown): Promise<number> => {
  const from = process.cpuUsage()
  await run()
  const { system, user } = process.cpuUsage(from)
  return (system + user) / 1_000
}

const middle = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const heap = () => {
  Bun.gc(true)
  return heapStats().heapSize + heapStats().extraMemorySize
}

const measured = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const begin = Math.floor(now / MINUTE) * MINUTE
  const source: CandleSource = {
    follow: () => Effect.void,
    next: Effect.never,
    history: (series, from, until) => Effect.sync(() => history(series, from, until))
  }
  const before = heap()
  const scope = yield* Scope.make()
  const server = Memory.layer().pipe(Layer.provideMerge(Layer.succeed(ClosedCandles, Option.some(source))))
  const context = yield* Layer.buildWithScope(server, scope)
  const desk = Context.get(context, RuleDesk)
  yield* Effect.provide(signed, context)
  yield* desk.sync
  yield* desk.settled
  const kilobytes = (heap() - before) / 1024 / RULES
  const series = yield* desk.series
  const markets = new Map(series.map((one, market) => [seriesKey(one), market]))
  const times: Array<number> = []
  const bare = bareLoop(begin)
  const bares: Array<number> = []
  for (let minute = 0; minute < MINUTES; minute++) {
    const from = begin + minute * MINUTE
    const news = series.map((one) => ({
      _tag: "Closed" as const,
      ...{ series: one, from, until: from + MINUTE, isFinal: true },
      bars: [barOf(markets.get(seriesKey(one)) ?? 0, from)]
    }))
    times.push(yield* Effect.promise(() => processorMs(() => Effect.runPromise(desk.take(news)))))
    bares.push(yield* Effect.promise(() => processorMs(bare)))
  }
  return {
    kilobytes,
    series: series.length,
    ms: middle(times),
    bareMs: middle(bares),
    figures: desk.figures()
  }
})

const rulesLive = async (): Promise<ReadonlyArray<Line>> => {
  const { bareMs, figures, kilobytes, ms, series } = await Effect.runPromise(Effect.scoped(measured))
  const ratio = bareMs / ms
  const text =
    `${figures.rules} rules on ${series} markets: the close of a minute ${ms.toFixed(0)} ms of one core (at most ${MOST_MS}), ` +
    `bare loop ${bareMs.toFixed(1)} ms; ratio ${ratio.toFixed(3)} (floor ${FLOOR}); ${figures.alerts} alerts; ` +
    `${kilobytes.toFixed(1)} KB a rule (at most ${MOST_KB})`
  const isWhole = figures.rules === RULES && series === MARKETS
  return [
    { name: "rules.live", text, ok: isWhole && ms <= MOST_MS && ratio >= FLOOR && kilobytes <= MOST_KB }
  ]
}

export default rulesLive
