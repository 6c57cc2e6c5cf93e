// A database with plenty in it, written through the ports that the server itself writes through.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Config from "../../../src/Config.ts"
import type { AccountId } from "../../../src/domain/Account.ts"
import { STARTING_BALANCES } from "../../../src/domain/Bot.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { Fill } from "../../../src/domain/Fill.ts"
import { Pair } from "../../../src/domain/Market.ts"
import { type Order, OrderId } from "../../../src/domain/Order.ts"
import { StrategyId } from "../../../src/domain/StrategyId.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import * as Server from "../../../src/Server.ts"
import { Accounts } from "../../../src/services/Accounts.ts"
import { Candles } from "../../../src/services/feeds/Candles.ts"
import { Portfolio, type Step } from "../../../src/services/Portfolio.ts"
import * as PriceFeed from "../../../src/services/PriceFeed.ts"
import { Signals } from "../../../src/services/Signals.ts"
import { Strategies } from "../../../src/services/Strategies.ts"
import { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { ENDLESS_PATIENCE } from "../../../src/trading/AlertPatience.ts"
import { start } from "../../../src/trading/Bot.ts"
import * as Performance from "../../../src/trading/Performance.ts"
import { request } from "../../lib/flow.ts"
import { addressOf } from "../../lib/postgres/Runner.ts"

/** How much is written. The first strategy has `long` trades, each of the others `each`. */
export interface Plenty {
  readonly strategies: number
  readonly long: number
  readonly each: number
}
export const PLENTY: Plenty = { strategies: 1000, long: 100_000, each: 20 }

/** The owner, and the signal that every tenth strategy follows. */
export interface Seeded {
  readonly token: string
  readonly signal: number
  readonly first: number
}

const OWNER = "ann"
/** The number of trades in one commit. */
const CHUNK = 2000
/** The number of the first strategy's last trades with orders and fills, for the marks on its chart. */
const FILLED = 4000
const HOUR = 3_600_000

/** The server's own ports on a database file, or on the database of Postgres that stands for it. */
export const opened = async (db: string) => {
  const address = addressOf(db)
  const options = {
    ...(await Effect.runPromise(Config.serverOptions)),
    ...{ db, prices: "none" },
    ...(address === undefined ? {} : { database: Redacted.make(address) })
  }
  return ManagedRuntime.make(
    Server.domain(options, ENDLESS_PATIENCE).pipe(
      Layer.provideMerge(Layer.merge(PriceFeed.layerNone, Candles.layerNone)),
      Layer.merge(Layer.setTracerEnabled(false))
    )
  )
}

export const seed = async (db: string, plenty: Plenty = PLENTY): Promise<Seeded> => {
  const runtime = await opened(db)
  try {
    return await runtime.runPromise(written(plenty))
  } finally {
    await runtime.dispose()
  }
}

const written = Effect.fnUntraced(function* (plenty: Plenty) {
  const accounts = yield* Accounts
  const token = Redacted.value((yield* accounts.issue(OWNER, "full", Option.none())).secret)
  const { account } = yield* Effect.orDie(Effect.flatten(accounts.authenticate(token)))
  const signal = yield* (yield* Signals).create(account, {
    name: "Everybody's",
    description: "",
    active: true,
    public: false
  })
  const strategies = yield* Strategies
  const dice = new SeededRandom(7)
  let first = 0
  for (let index = 0; index < plenty.strategies; index++) {
    const view = yield* strategies.create(
      account,
      request({ name: `Strategy ${index + 1}`, ...(index % 10 === 0 ? { signal_id: signal.id } : {}) })
    )
    if (index === 0) first = view.strategy_id
    yield* traded(account, StrategyId.make(view.strategy_id), index === 0 ? plenty.long : plenty.each, dice)
  }
  const seeded: Seeded = { token, signal: signal.id, first }
  return seeded
})

/** Trades up to an hour ago, one after the other, committed in chunks. */
const traded = Effect.fnUntraced(function* (
  account: AccountId,
  strategy: StrategyId,
  count: number,
  dice: SeededRandom
) {
  const portfolio = yield* Portfolio
  const starting = STARTING_BALANCES.USDT
  // The time goes back as far as the trades need, and at most about a year.
  const every = Math.min(HOUR, (400 * 24 * HOUR) / count)
  const began = Date.now() - HOUR - every * (count + 1)
  let tally = Performance.begin(starting, began)
  for (let done = 0; done < count; done += CHUNK) {
    const trades = Array.from({ length: Math.min(CHUNK, count - done) }, (_, index) =>
      trade(dice, Math.floor(began + every * (done + index + 1)), every)
    )
    for (const it of trades) tally = Performance.add(tally, it)
    const legs = trades.flatMap((it, index) =>
      done + index < count - FILLED ? [] : legsOf(strategy, done + index, it)
    )
    const state = { ...start("USDT", starting), cash: Performance.endingEquity(tally) }
    const step: Step = {
      account,
      at: trades.at(-1)?.closedAt ?? began,
      bot: { strategy, state, tally, step: done + 1 },
      orders: count <= CHUNK ? [] : legs.map(({ order }) => order),
      statuses:
        count <= CHUNK ? [] : legs.map(({ order }) => ({ order: order.id, status: "filled" as const })),
      fills: count <= CHUNK ? [] : legs.map(({ fill }) => fill),
      postings: [],
      trades,
      notes: trades.slice(-20).map((it) => ({
        at: it.closedAt,
        rule: it.exitReason,
        alertId: Option.none(),
        reason: Option.none(),
        text: `Closed ${it.pair} at ${it.exitPrice}: ${it.exitReason}.`,
        facts: { price: String(it.exitPrice) }
      })),
      outcomes: [],
      waits: []
    }
    yield* portfolio.commit([step])
  }
})

const PAIR = Pair.make("BTC/USDT")
const money = (value: number) => Decimal.unsafeFromText(value.toFixed(6))

const trade = (dice: SeededRandom, closedAt: number, every: number): Trade => {
  const entryPrice = Math.round(dice.between(20_000, 30_000) * 100) / 100
  const profitPercent = Math.round(dice.between(-1, 1.02) * 100) / 100
  const cost = 1000 + dice.below(100)
  const pnl = (cost * profitPercent) / 1000
  return {
    exchange: "binance",
    pair: PAIR,
    kind: "spot",
    side: "long",
    openedAt: Math.floor(closedAt - every * dice.between(0.1, 0.9)),
    closedAt,
    entryPrice,
    exitPrice: Math.round(entryPrice * (1 + profitPercent / 100) * 100) / 100,
    quantity: money(cost / entryPrice),
    cost: money(cost),
    proceeds: money(cost + pnl),
    fees: money(cost * 0.002),
    pnl: money(pnl),
    profitPercent,
    exitReason: profitPercent > 0 ? "take_profit" : "stop_loss",
    entries: 1
  }
}

interface Leg {
  readonly order: Order
  readonly fill: Fill
}

/** The entry and the exit of a trade. */
const legsOf = (strategy: number, index: number, trade: Trade): ReadonlyArray<Leg> => {
  const { cost, entryPrice, exitPrice, exitReason, fees, proceeds, quantity } = trade
  const market = { exchange: trade.exchange, pair: trade.pair, kind: trade.kind }
  const leg = (side: "buy" | "sell", price: number, notional: Decimal.Decimal, at: number): Leg => {
    const id = OrderId.make(`${strategy}-seeded-${index}-${side}`)
    const order: Order = {
      id,
      ...market,
      position: "long",
      side,
      type: "market",
      quantity,
      price,
      purpose: side === "buy" ? "entry" : "exit",
      ...(side === "buy" ? {} : { exitReason }),
      reserved: side === "buy" ? cost : Decimal.zero,
      at
    }
    return { order, fill: { order: id, id: "1", ...market, side, quantity, price, notional, fee: fees, at } }
  }
  return [leg("buy", entryPrice, cost, trade.openedAt), leg("sell", exitPrice, proceeds, trade.closedAt)]
}
