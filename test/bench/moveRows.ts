// Writes sound books of many trades to a file: bots that buy and sell again and again, with an order, a fill and a
// posting for each half of a trade, and an entry of the timeline.
import { Database } from "bun:sqlite"
import { Effect, Layer, Schema } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Fill } from "../../src/domain/Fill.ts"
import { Pair } from "../../src/domain/Market.ts"
import { type Order, OrderId } from "../../src/domain/Order.ts"
import { Partition } from "../../src/domain/Partition.ts"
import * as LedgerChain from "../../src/sql/rows/LedgerChain.ts"
import * as PortfolioRows from "../../src/sql/rows/PortfolioRows.ts"
import * as StateText from "../../src/sql/rows/StateText.ts"
import * as Sqlite from "../../src/sqlite/Sqlite.ts"
import { start } from "../../src/trading/Bot.ts"
import * as Ledger from "../../src/trading/books/Ledger.ts"
import * as Positions from "../../src/trading/books/Positions.ts"
import * as Performance from "../../src/trading/Performance.ts"
import { drawing } from "./liveWorld.ts"

const BEGAN = Date.UTC(2024, 0, 1)
const START = STARTING_BALANCES.USDT
const MARKET = { exchange: "binance", pair: Pair.make("BTC/USDT"), kind: "spot" } as const
const KEY = "binance:BTC/USDT:spot"
const DAY_MS = 86_400_000
/** The trades of each bot. */
const EACH = 100_000

const places = (value: number, count: number) => Decimal.unsafeFromText(value.toFixed(count))

/** One half of a trade. */
const half = (id: string, side: "buy" | "sell", price: number, at: number) => {
  const quantity = Decimal.unsafeFromText("0.0013")
  const notional = places(price * 0.0013, 7)
  const fee = Decimal.multiply(notional, Decimal.unsafeFromText("0.001"))
  const order: Order = {
    id: OrderId.make(id),
    ...MARKET,
    position: "long",
    side,
    type: "market",
    quantity,
    price,
    purpose: side === "buy" ? "entry" : "exit",
    ...(side === "buy" ? { alert: 1 } : { exitReason: "take_profit" as const }),
    reserved: side === "buy" ? Decimal.add(notional, fee) : Decimal.zero,
    at
  }
  const fill: Fill = { order: order.id, id: "1", ...MARKET, side, quantity, price, notional, fee, at }
  return { order, fill }
}

const tallyText = Schema.encodeSync(Schema.parseJson(Performance.Tally))

/** Writes a new database of so many trades, a multiple of the trades of a bot or fewer. */
export const write = async (filename: string, trades: number): Promise<void> => {
  await Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(Sqlite.layer({ filename })))))
  const database = new Database(filename)
  database.run("PRAGMA synchronous = OFF")
  database.run("PRAGMA cache_size = -200000")
  const insert = {
    order: database.query("INSERT INTO orders (id, strategy_id, intent, status) VALUES (?, ?, ?, 'filled')"),
    fill: database.query("INSERT INTO fills (strategy_id, fill) VALUES (?, ?)"),
    trade: database.query("INSERT INTO trades (account, strategy_id, trade) VALUES (1, ?, ?)"),
    ledger: database.query(
      "INSERT INTO ledger (id, partition, place, strategy_id, posting, hash) VALUES (?, 7, ?, ?, ?, ?)"
    ),
    note: database.query(
      "INSERT INTO timeline (strategy_id, at, rule, text, account) VALUES (?, ?, 'take_profit', ?, 1)"
    )
  }
  const partition = Partition.make(7)
  let end = LedgerChain.rootOf(LedgerChain.ROOT.hash, partition)
  let place = 0
  const post = (strategy: number, posting: Ledger.Posting) => {
    const text = PortfolioRows.postingText(posting)
    end = LedgerChain.hashOf(end, ++place, strategy, text)
    insert.ledger.run(place, place, strategy, text, end)
  }
  const days = new Map<number, Decimal.Decimal>()
  const draw = drawing(11)
  for (let strategy = 1; (strategy - 1) * EACH < trades; strategy++) {
    const bot = start("USDT", START)
    let cash = bot.cash
    let tally = Performance.begin(START, BEGAN)
    let at = BEGAN
    const store = (order: Order, fill: Fill) => {
      insert.order.run(order.id, strategy, PortfolioRows.orderText(order))
      insert.fill.run(strategy, PortfolioRows.fillText(fill))
    }
    database.transaction(() => {
      post(strategy, Ledger.opening(START, BEGAN))
      for (let count = 0; count < Math.min(EACH, trades - (strategy - 1) * EACH); count++) {
        at += 60_000 + draw.below(300_000)
        const bought = half(`${strategy}-${count}-0`, "buy", 50_000 + draw.below(20_000), at)
        store(bought.order, bought.fill)
        const entry = Ledger.entry(KEY, bought.fill)
        post(strategy, entry)
        at += 60_000
        const sold = half(
          `${strategy}-${count}-1`,
          "sell",
          bought.fill.price * (1 + draw.between(-0.01, 0.0125)),
          at
        )
        store(sold.order, sold.fill)
        const exited = Positions.decreased(Positions.opened(bought.order, bought.fill), sold.fill, sold.order)
        const exit = Ledger.exit(KEY, sold.fill, exited)
        post(strategy, exit)
        cash = Decimal.sum([cash, Ledger.balances([entry, exit]).cash])
        const trade = Positions.completed(MARKET, exited.position, {
          reason: "take_profit",
          at,
          period: undefined,
          isLive: false
        })
        tally = Performance.add(tally, trade)
        insert.trade.run(strategy, PortfolioRows.tradeText(trade))
        insert.note.run(strategy, at, `Sold 0.0013 BTC at ${sold.fill.price} USDT: take profit`)
        const day = Math.floor(at / DAY_MS)
        days.set(day, Decimal.add(days.get(day) ?? Decimal.zero, trade.pnl))
      }
      const state = StateText.stateText({ ...bot, cash })
      database
        .query("INSERT INTO bots (strategy_id, step, state, tally) VALUES (?, 1, ?, ?)")
        .run(strategy, state, tallyText(tally))
    })()
  }
  for (const [day, net] of days)
    database
      .query("INSERT INTO result_days (account, currency, live, day, net) VALUES (1, 'USDT', 0, ?, ?)")
      .run(day, Decimal.toText(net))
  database.close()
}
