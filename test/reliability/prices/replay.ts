// The same prices as a replay, with the result computed from the numbers alone.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Pair } from "../../../src/domain/Market.ts"
import type { Trade } from "../../../src/domain/Trade.ts"
import { Bot } from "./Bot.ts"
import { type Result, result } from "./Case.ts"
import { checked } from "./decisions.ts"
import { must } from "./until.ts"
import { World } from "./World.ts"

const MINUTE_MS = 60_000
const BEGAN = Date.UTC(2024, 0, 1)
/** Candles of one price, and how many in all: at sixty a second, for half a minute. */
const STRETCH = 20
const COUNT = 1800
const SPEED = 3600
const TRADES = 3
const SETTINGS = { sell_minprofitpercent: 1, stop_loss: true, stop_loss_percentage: 2 }

/**
 * Replays the same prices as recorded candles again and again, and computes the bot's results again from the numbers
 * alone.
 */
export const replayed = async (
  folder: string,
  name: string,
  prices: ReadonlyArray<number>
): Promise<Result> => {
  const candles = join(folder, `candles-${name}`)
  mkdirSync(candles)
  const priceAt = (index: number) => prices[Math.floor(index / STRETCH) % prices.length] ?? 0
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const price = priceAt(index)
    return `${[BEGAN + index * MINUTE_MS, price, price, price, price, 1].join(",")}\n`
  })
  writeFileSync(join(candles, "binance_BTC-USDT.csv"), rows.join(""))
  const args = ["--prices", `replay:${candles}`, "--replay-speed", `${SPEED}`]
  const world = await World.plain(folder, `replay-${name}`, args)
  try {
    return await result("replay", async () => {
      const slot = { pair: Pair.make("BTC/USDT"), kind: "spot" } as const
      const bot = await Bot.make(world, { name: "binance" }, slot, SETTINGS)
      for (let trade = 1; trade <= TRADES; trade++) {
        must((await bot.told("buy", 10_000)) === "opened", "an entry was not opened")
        verify(await bot.closed(trade, 10_000), priceAt)
      }
      must((await world.stop()) === 0, "it did not end with 0")
      return undefined
    })
  } finally {
    await world.kill()
  }
}

const verify = (trade: Trade, priceAt: (index: number) => number): void => {
  const index = (at: number) => (at - BEGAN) / MINUTE_MS
  const entry = priceAt(index(trade.openedAt))
  must(trade.entryPrice === entry, `bought at ${trade.entryPrice}, where the candle says ${entry}`)
  // The fees are 0.2 % for the entry and 0.1 % for the exit.
  const target = (entry * 1.002 * 1.01) / 0.999
  for (let at = index(trade.openedAt) + 1; at < COUNT; at++) {
    const price = priceAt(at)
    if (price < target && price > entry * 0.98) continue
    must(index(trade.closedAt) === at, `closed at candle ${index(trade.closedAt)}, not at ${at}`)
    must(trade.exitPrice === price, `sold at ${trade.exitPrice}, where the candle says ${price}`)
    return checked(trade, price > entry ? "take_profit" : "stop_loss")
  }
}
