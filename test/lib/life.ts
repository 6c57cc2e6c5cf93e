// Stores a strategy's life at a stub exchange through the ports, with its candles beside the database.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Option } from "effect"
import { AlertId } from "../../src/domain/Alert.ts"
import type { Columns } from "../../src/domain/candles/CandleFile.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import type { TimelineNote } from "../../src/domain/Timeline.ts"
import * as Place from "../../src/prices/tape/Place.ts"
import { Journal } from "../../src/services/Journal.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { draft } from "../../src/testing/Fixtures.ts"
import type { LiveRecord } from "../../src/trading/compare/LiveRecord.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { sender } from "../services/ports.ts"
import { recordedBy, type Venue } from "../trading/compare/life.ts"
import { columns, MINUTE, market, settings } from "../trading/scenario.ts"

const DAY = 86_400_000
/** The beginning of a day in the past: candles of the future are not read. */
export const BEGIN = Math.floor(Date.now() / DAY) * DAY - 20 * DAY

/** The price of each minute: it rises and falls by 5 % within the hour. */
const candles = (minutes: number): Columns => {
  const prices = Array.from({ length: minutes + 1 }, (_, minute) =>
    Number((100 + 5 * Math.sin((minute * Math.PI) / 30)).toFixed(2))
  )
  const rows = prices.slice(0, -1).map((open, minute) => {
    const close = prices[minute + 1] ?? open
    return [open, Math.max(open, close), Math.min(open, close), close] as const
  })
  const made = columns(rows)
  return { ...made, at: made.at.map((at) => BEGIN + at) }
}

/** A bot that bought each hour, and sold by its take profit or stop. */
export const lifeAt = (venue: Venue, minutes = 1440): LiveRecord => {
  const buys = Array.from({ length: Math.floor(minutes / 60) }, (_, hour) => ({
    id: hour + 1,
    alert: { type: "buy" as const, pair: BTC, at: BEGIN + (hour * 60 + 45) * MINUTE },
    actedAt: BEGIN + (hour * 60 + 45) * MINUTE,
    reason: "opened" as const
  }))
  return recordedBy(
    {
      settings: settings({
        takerFeePercent: 0.1,
        buyPercent: 50,
        minProfitPercent: 3,
        stopLoss: { percent: 4 }
      }),
      past: [],
      balance: Decimal.unsafeFromText("10000"),
      from: BEGIN,
      until: BEGIN + minutes * MINUTE,
      series: [{ exchange: "binance", pair: BTC, columns: candles(minutes) }],
      trades: [],
      orders: [],
      alerts: buys,
      halts: [],
      outages: [],
      market: (id) => market(id, { amountStep: "0.00001" }),
      fees: () => ({ makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
    },
    venue
  )
}
const BTC = Pair.make("BTC/USDT")

/** Stores the life of a strategy of an account of this name; returns its owner and its id. */
export const stored = (life: LiveRecord, name = "alice") =>
  Effect.gen(function* () {
    const store = yield* StrategyStore
    const journal = yield* Journal
    const owner = yield* sender(name)
    const strategy = yield* store.create(owner.account, life.settings)
    const ids = new Map<number, number>()
    for (const { alert, id } of life.alerts) {
      const made = draft(owner, { receivedAt: alert.at })
      const [coin = "", quoteCurrency = ""] = alert.pair.split("/")
      const appended = yield* journal.append({
        ...made,
        instruction: {
          ...made.instruction,
          signalId: SignalId.make(1),
          coin,
          quoteCurrency,
          type: alert.type
        }
      })
      ids.set(id, appended.id)
    }
    const numbered = life.orders.map(({ fills, order, status }) => ({
      fills: fills.map((fill) => ({ ...fill, order: order.id })),
      order: { ...order, alert: ids.get(order.alert ?? 0) ?? 0 },
      status
    }))
    const notes = life.alerts.map(
      ({ actedAt, id, reason }): TimelineNote => ({
        at: actedAt,
        rule: "alert",
        alertId: Option.map(Option.fromNullable(ids.get(id)), (it) => AlertId.make(it)),
        reason: Option.some(reason),
        text: reason,
        facts: {}
      })
    )
    const pnl = Decimal.sum(life.trades.map((trade) => trade.pnl))
    const tally = life.trades.reduce(
      (sum, trade) => Performance.add(sum, trade),
      Performance.begin(life.balance, life.from)
    )
    yield* (yield* Portfolio).commit([
      {
        account: owner.account,
        at: life.until,
        bot: {
          strategy: strategy.id,
          step: 1,
          tally,
          state: {
            quote: "USDT",
            startingBalance: life.balance,
            cash: Decimal.add(life.balance, pnl),
            baseline: life.balance,
            slots: {}
          }
        },
        orders: numbered.map(({ order }) => order),
        statuses: numbered.map(({ order, status }) => ({ order: order.id, status })),
        fills: numbered.flatMap(({ fills }) => fills),
        postings: [],
        trades: life.trades,
        notes,
        outcomes: [],
        waits: []
      }
    ])
    return { account: owner.account, strategy: strategy.id }
  })

/** Writes the candles where a server records them. */
export const writeCandles = (database: string, { series }: LiveRecord): void => {
  for (const { columns, exchange, pair } of series) {
    const folder = Place.folderOf(Place.candlesIn(dirname(database)), { exchange, pair, kind: "spot" })
    mkdirSync(folder, { recursive: true })
    const { at, close, high, low, open } = columns
    const rows = Array.from(at, (time, row) =>
      [time, open[row], high[row], low[row], close[row], 1].join(",")
    )
    const name = Place.dayName({ day: BEGIN, until: BEGIN + DAY })
    writeFileSync(join(folder, name), Bun.gzipSync(`${rows.join("\n")}\n`))
  }
}
