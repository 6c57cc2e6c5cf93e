// Writes an account with many strategies and trades as an earlier version left it; opening it migrates it.
import { Database } from "bun:sqlite"
import * as Schema from "effect/Schema"
import { BotState, STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Pair } from "../../src/domain/Market.ts"
import { OrderId } from "../../src/domain/Order.ts"
import { start } from "../../src/trading/Bot.ts"
import { opened } from "../../src/trading/books/Positions.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { drawing } from "./liveWorld.ts"

export const STRATEGIES = 1000
export const TRADES = 100_000
/** Two years up to the present. */
export const ENDS = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
const BEGAN = ENDS - 730 * 86_400_000
const START = STARTING_BALANCES.USDT
const MARKET = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const

/** How the trades are distributed over the strategies. */
export type Shape = "even" | "one"

const tallyText = Schema.encodeSync(Schema.parseJson(Performance.Tally))
const stateText = Schema.encodeSync(Schema.parseJson(BotState))

/** Fills the tables of a database of the version before the dashboard's. */
export const write = (db: string, account: number, signal: number, shape: Shape): void => {
  const database = new Database(db)
  database.exec("PRAGMA synchronous = OFF")
  database.transaction(() => {
    strategies(database, account, signal)
    const perStrategy = shape === "one" ? TRADES : TRADES / STRATEGIES
    for (let id = 1; id <= STRATEGIES; id++) bot(database, id, shape === "even" || id === 1 ? perStrategy : 0)
  })()
  database.close()
}

const strategies = (database: Database, account: number, signal: number): void => {
  const insert = database.query(`INSERT INTO strategies (account, signal_id, settings, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?)`)
  const seconds = BEGAN / 1000
  for (let id = 1; id <= STRATEGIES; id++) {
    const settings = {
      name: `Strategy ${id} of the bench`,
      description: "",
      active: id % 10 > 0,
      public: false,
      quote: "USDT",
      defaultExchange: "binance",
      buyPercent: 10,
      minProfitPercent: 2,
      dca: { waitMinutes: 60, maxRetries: 5, triggerPercent: 2, orderSizePercent: 100 },
      stopLoss: { percent: 12 },
      signalIgnoresMinProfit: false,
      exchanges: [{ exchange: "binance", pairs: ["BTC/USDT", "ETH/USDT", "SOL/USDT"] }]
    }
    insert.run(account, signal, JSON.stringify(settings), seconds, seconds)
  }
}

/** A bot with its trades, their orders and fills, and a position that is open. */
const bot = (database: Database, strategy: number, trades: number): void => {
  const order = database.query(
    "INSERT INTO orders (id, strategy_id, intent, status) VALUES (?, ?, ?, 'filled')"
  )
  const fill = database.query("INSERT INTO fills (strategy_id, fill) VALUES (?, ?)")
  const trade = database.query("INSERT INTO trades (strategy_id, trade) VALUES (?, ?)")
  let tally = Performance.begin(START, BEGAN)
  for (const [index, row] of tradesOf(strategy, trades)) {
    for (const side of ["buy", "sell"] as const) {
      const id = `${strategy}-${index}-${side === "buy" ? 0 : 1}`
      const at = side === "buy" ? row.openedAt : row.closedAt
      const quantity = row.quantity
      const common = { ...MARKET, side, quantity, price: row.entryPrice, at }
      const exit = side === "sell" ? { purpose: "exit", exitReason: "take_profit" } : { purpose: "entry" }
      const intent = { id, ...common, position: "long", type: "market", reserved: "0", ...exit }
      order.run(id, strategy, JSON.stringify(intent))
      fill.run(strategy, JSON.stringify({ order: id, id: "1", ...common, notional: row.cost, fee: "0.1" }))
    }
    trade.run(strategy, JSON.stringify(row))
    tally = Performance.add(tally, {
      openedAt: row.openedAt,
      closedAt: row.closedAt,
      pnl: Decimal.unsafeFromText(row.pnl),
      fees: Decimal.unsafeFromText(row.fees)
    })
  }
  database
    .query("INSERT INTO bots (strategy_id, step, state, tally) VALUES (?, 1, ?, ?)")
    .run(strategy, stateText(holding(strategy)), tallyText(tally))
}

const holding = (strategy: number): BotState => {
  const decimal = Decimal.unsafeFromText
  const fill = {
    order: OrderId.make(`${strategy}-open-0`),
    id: "1",
    ...MARKET,
    side: "buy" as const,
    quantity: decimal("0.01"),
    price: 60_000 + strategy,
    notional: Decimal.fromNumber((60_000 + strategy) / 100),
    fee: decimal("0.6"),
    at: ENDS - strategy * 1000
  }
  const position = opened({ position: "long" }, fill)
  return {
    ...start("USDT", START),
    cash: decimal("9399.4"),
    slots: { "binance:BTC/USDT:spot": { ...MARKET, position } }
  }
}

/** Trades as the portfolio writes them, oldest first. */
const tradesOf = function* (strategy: number, count: number) {
  const draw = drawing(strategy)
  const step = Math.floor((ENDS - BEGAN) / Math.max(count, 1))
  const digits = (most: number) =>
    `${draw.below(most)}.${String(draw.below(1e9) * 1e9 + draw.below(1e9)).padStart(18, "0")}`
  for (let index = 0; index < count; index++) {
    const closedAt = BEGAN + (index + 1) * step
    const row = {
      ...MARKET,
      side: "long",
      openedAt: closedAt - draw.below(3_600_000),
      closedAt,
      entryPrice: draw.between(20_000, 70_000),
      exitPrice: draw.between(20_000, 70_000),
      quantity: digits(2),
      cost: digits(2000),
      proceeds: digits(2000),
      fees: digits(2),
      pnl: `${draw.chance(0.48) ? "-" : ""}${digits(12)}`,
      profitPercent: draw.between(-2, 2),
      exitReason: "take_profit",
      entries: 1
    }
    yield [index, row] as const
  }
}
