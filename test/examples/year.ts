// A year of one-minute candles in a unit test: an alert every three days, and three strategies of a whole server, which
// gives the candles between two of its prices of interest no time at all.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Pair } from "signalbox/domain/Market"
import { PriceScript, TestServer } from "signalbox/testing"

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
const MINUTES = 365 * 24 * 60
const candles = PriceScript.walk({
  ...{ candles: MINUTES, everyMs: MINUTE_MS, price: 60_000, swing: 0.0012, seed: 7 }
})

/** To buy, and three days later to sell. */
const turns: PriceScript.Script = Array.from({ length: 120 }, (_, turn) => {
  const type = turn % 2 === 0 ? "buy" : "sell"
  return { at: turn * 3 * DAY_MS, act: { _tag: "Alert", type, pair: Pair.make("BTC/USDT") } }
})

const strategies = [
  { name: "Plain", buy_percentage: 50 },
  { name: "Stopped", buy_percentage: 50, stop_loss: true, stop_loss_percentage: 3 },
  { name: "Trailing", trailing_sell: true, trailing_sell_arm: 3, trailing_sell_percentage: 1 }
]

const prices = PriceScript.merge(turns, PriceScript.ofCandles(candles))

const year = TestServer.run({ strategies, prices }, (server) =>
  Effect.gen(function* () {
    const began = performance.now()
    yield* server.play()
    const seconds = (performance.now() - began) / 1_000
    const trades = yield* Effect.forEach(server.strategies, (strategy) => strategy.trades)
    return { counts: trades.map(({ length }) => length), last: trades.flat().at(-1)?.closedAt ?? 0, seconds }
  })
)

const { counts, last, seconds } = await year
assert.ok(counts.every((count) => count >= 55))
assert.ok(last > 350 * DAY_MS)
console.log(`${MINUTES} candles, ${counts.join(" + ")} trades in ${seconds.toFixed(2)} s`)
