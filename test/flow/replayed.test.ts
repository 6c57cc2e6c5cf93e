// A hasty replay with alerts at random moments equals a back-test.
import { expect } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, Either, Layer, Logger, Option, Redacted, Schedule, Schema } from "effect"
import * as Config from "../../src/Config.ts"
import { ALERT_TYPES } from "../../src/domain/Alert.ts"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { MADE_UP } from "../../src/domain/candles/CandleTime.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import * as Database from "../../src/domain/requests/Database.ts"
import { Trade } from "../../src/domain/Trade.ts"
import { type Recording, read } from "../../src/prices/CandleFiles.ts"
import * as Records from "../../src/Records.ts"
import * as Server from "../../src/Server.ts"
import { gather } from "../../src/services/compare/Gathering.ts"
import { factsOf } from "../../src/services/feeds/MarketFacts.ts"
import { Markets } from "../../src/services/Markets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { run, type TimedAlert } from "../../src/trading/Backtest.ts"
import * as AlertsFile from "../../src/trading/backtest/AlertsFile.ts"
import { compare } from "../../src/trading/compare/Compare.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { DEFAULTS } from "../lib/options.ts"
import { tokens } from "../lib/server.ts"
import { chosen, onEach, type Storage } from "../lib/storages.ts"
import * as Worlds from "./worlds.ts"

// The adversary sends alerts at random moments to a real server that replays candles in great haste: in the same ms as
// a candle, while one is being taken in, through every door at once. What the server recorded is exported and tested
// again: it must give the same trades.

const MINUTES = 150
const BEGIN = Date.UTC(2024, 1, 29)
/** The replay plays a candle every 2.5 ms. */
const SPEED = 24_000
const STRATEGIES = 4
const CLIENTS = 4
/** No more alerts: where storing takes long, they would hold every candle up for longer than the one before. */
const MOST_ALERTS = 2_000
const ON_POSTGRES = 400

const quiet = Layer.merge(Layer.setTracerEnabled(false), Logger.replace(Logger.defaultLogger, Logger.none))

/** Writes candles of three pairs to a folder. */
const candlesIn = (folder: string, dice: Worlds.Dice): ReadonlyArray<Recording> => {
  Worlds.PAIRS.forEach((pair, index) => {
    const { at, close, high, length, low, open } = Worlds.walk(
      dice,
      BEGIN,
      MINUTES,
      [60_000, 1300, 14][index] ?? 1,
      0.006
    )
    const rows = Array.from({ length }, (_, row) =>
      [at[row], open[row], high[row], low[row], close[row], 1].join(",")
    )
    writeFileSync(join(folder, `bybit_${pair.replace("/", "-")}.csv`), `${rows.join("\n")}\n`)
  })
  return Either.getOrThrow(read(folder, MADE_UP))
}

/** Every second server fills paper orders nearer to life; its test and its comparison have to do the same. */
const paperFillsOf = (seed: number): string =>
  seed % 2 === 0 ? "slippage=0.05%,spread=0.02%,limits=through" : ""

/** The ways to send an alert: webhook and alert operation, each also with a body of unknown length. */
const doors = (url: string, hook: string, token: string) => {
  const webhook = `${url}/v1/signals/charting?key=${hook}`
  const operation = `${url}/v1/signals/alert`
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const streamed = (text: string) => new Blob([text]).stream()
  return [
    (text: string) => fetch(webhook, { method: "POST", body: text }),
    (text: string) => fetch(operation, { method: "POST", headers, body: text }),
    (text: string) => fetch(webhook, { method: "POST", body: streamed(text) }),
    (text: string) => fetch(operation, { method: "POST", headers, body: streamed(text) })
  ]
}

const alertText = (dice: Worlds.Dice, signal_id: number): string => {
  const pair = dice.one(Worlds.PAIRS, Worlds.PAIRS[0] ?? "")
  const [coin, quote_currency] = pair.split("/")
  return JSON.stringify({ signal_id, coin, quote_currency, type: dice.one(ALERT_TYPES, "buy") })
}

const pnlOf = (trade: Trade | undefined) => trade?.pnl ?? Decimal.zero
const tradeText = Schema.encodeSync(Trade)

const SEEDS = [1, 2, 3, 4]

const recorded = (storage: Storage) => {
  for (const seed of chosen(storage, SEEDS, 1))
    it.live(
      `recordings of a replaying server give the same trades in a back-test (seed ${seed})`,
      () =>
        Effect.gen(function* () {
          const folder = mkdtempSync(join(tmpdir(), "replayed-"))
          yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
          const dice = Worlds.dice(seed)
          const recordings = candlesIn(folder, dice)
          const last = Math.max(...recordings.map(({ columns }) => columns.at.at(-1) ?? 0))
          const { db } = yield* storage.place
          const database = Redacted.make(storage.isPostgres ? db : "")
          const options = {
            ...DEFAULTS,
            port: 0,
            db: join(folder, "signalbox.db"),
            database,
            paperFills: paperFillsOf(seed),
            crudRate: 0,
            alertRate: 0
          }

          const playing = Effect.gen(function* () {
            const known = yield* tokens
            const user = yield* Flow.ann(Worlds.strategyOf(dice))
            const others = yield* Effect.forEach(Array.from({ length: STRATEGIES - 1 }), () =>
              Flow.aStrategy(user.account, { ...Worlds.strategyOf(dice), signal_id: user.signal })
            )
            const { url } = yield* Server.Server
            const ways = doors(url, known.hook, known.ann)
            const isOver = Effect.map(Clock.currentTimeMillis, (now) => now >= last)
            let sent = 0
            const isEnough = Effect.map(
              isOver,
              (it) => it || sent >= (storage.isPostgres ? ON_POSTGRES : MOST_ALERTS)
            )
            const client = Effect.gen(function* () {
              sent++
              const way = dice.one(ways, ways[0] ?? fetch)
              const { status } = yield* Effect.promise(() => way(alertText(dice, user.signal)))
              expect(status).toBe(200)
              if (dice.chance(0.8)) yield* Effect.sleep(dice.whole(0, 30))
            })
            const clients = Array.from({ length: CLIENTS }, () =>
              Effect.repeat(Effect.zipRight(client, isEnough), { until: (it) => it })
            )
            yield* Effect.all(clients, { concurrency: "unbounded" })
            yield* Effect.repeat(isOver, { until: (it) => it, schedule: Schedule.spaced("20 millis") })
            yield* Flow.caughtUp
            const store = yield* StrategyStore
            const catalogue = yield* (yield* Markets).catalogue
            const played = yield* Effect.forEach([user.strategy, ...others], (strategy) =>
              Effect.gen(function* () {
                const { settings } = yield* store.get(user.account, strategy)
                const trades = yield* (yield* Portfolio).trades(strategy, { limit: 10_000 })
                const gathered = yield* gather(user.account, strategy)
                const compared = compare({
                  ...gathered,
                  ...factsOf(catalogue),
                  fillModel: Config.paperFillsOf(paperFillsOf(seed)),
                  series: recordings
                })
                return {
                  strategy,
                  settings,
                  trades: trades.map(({ trade }) => tradeText(trade)).reverse(),
                  differing: compared.trades.filter(({ live, parts, remainder, test }) =>
                    [Decimal.subtract(pnlOf(live), pnlOf(test)), remainder, ...Object.values(parts)].some(
                      (amount) => !Decimal.isZero(amount)
                    )
                  ),
                  compared: compared.trades.length
                }
              })
            )
            return { played, catalogue }
          })
          const replay = Server.layer({ ...options, replaySpeed: SPEED, prices: `replay:${folder}` })
          const { catalogue, played } = yield* Effect.provide(playing, Layer.provide(replay, quiet))

          const reader = yield* Records.recordedAlerts(Database.of(options))
          const all = { account: undefined, signal: undefined, from: 0, until: Number.MAX_SAFE_INTEGER }
          const exported = (yield* reader.page(all, 0)).map(AlertsFile.textOf).join("\n")
          const alerts = Either.getOrThrow(AlertsFile.parse(new TextEncoder().encode(exported), MADE_UP))
          expect(alerts.length).toBeGreaterThan(50)
          for (const { compared, differing, settings, strategy, trades } of played) {
            // The comparison with the test finds the same trades, and every part of their difference is 0.
            expect(differing).toEqual([])
            expect(compared).toBe(trades.length)
            const tested = run({
              settings,
              balance: STARTING_BALANCES.USDT,
              series: recordings,
              fillModel: Config.paperFillsOf(paperFillsOf(seed)),
              alerts,
              market: (id) => Option.getOrUndefined(catalogue.market(id)),
              fees: ({ exchange }) => {
                const { makerFeePercent, takerFeePercent } = catalogue.exchange(exchange)
                return { makerFeePercent, takerFeePercent }
              }
            })
            expect({ strategy, trades }).toEqual({
              strategy,
              trades: tested.trades.map((it) => tradeText(it))
            })
            totals.trades += trades.length
          }
          totals.alerts += alerts.length
          totals.close += closeTo(recordings, alerts)
        }),
      storage.isPostgres ? 300_000 : 60_000
    )
}

onEach(recorded)

const totals = { trades: 0, alerts: 0, close: 0 }

/** Alerts in the very ms before or after a candle. */
const closeTo = (recordings: ReadonlyArray<Recording>, alerts: ReadonlyArray<TimedAlert>): number => {
  const candles = new Set(recordings.flatMap(({ columns }) => [...columns.at]))
  return alerts.filter(({ at }) => candles.has(at + 1) || candles.has(at - 1)).length
}

it.live("the runs above had enough trades, and enough alerts in the very ms beside a candle", () =>
  Effect.sync(() => {
    expect(totals.trades).toBeGreaterThan(100)
    expect(totals.close).toBeGreaterThan(50)
  })
)
