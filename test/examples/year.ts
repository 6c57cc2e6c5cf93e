// A year of trading in a unit test: hourly candles, alerts where two means of the price cross, and three strategies of
// a whole server, in less than a second.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Pair } from "signalbox/domain/Market"
import { PriceScript, TestServer } from "signalbox/testing"

const HOURS = 365 * 24
const candles = PriceScript.walk({ candles: HOURS, price: 60_000, swing: 0.012, seed: 7 })

const mean = (end: number, length: number) =>
  candles.slice(Math.max(0, end - length), end).reduce((sum, { close }) => sum + close / length, 0)

/** To buy where the mean of a day rises over that of three days, and to sell where it falls beneath. */
const isHigh = (hour: number) => hour > 72 && mean(hour, 24) > mean(hour, 72)
const crossings: PriceScript.Script = candles.flatMap(({ at }, hour) => {
  if (hour === 0 || isHigh(hour) === isHigh(hour - 1)) return []
  const type = isHigh(hour) ? "buy" : "sell"
  return [{ at, act: { _tag: "Alert", type, pair: Pair.make("BTC/USDT") } }] as const
})

const strategies = [
  { name: "Plain", buy_percentage: 50 },
  { name: "Stopped", buy_percentage: 50, stop_loss: true, stop_loss_percentage: 3 },
  { name: "Trailing", trailing_sell: true, trailing_sell_arm: 3, trailing_sell_percentage: 1 }
]

const prices = PriceScript.merge(crossings, PriceScript.ofCandles(candles))
const year = () =>
  TestServer.run({ strategies, prices }, (server) =>
    Effect.gen(function* () {
      const before = process.cpuUsage()
      yield* server.play()
      const { system, user } = process.cpuUsage(before)
      const trades = yield* Effect.forEach(server.strategies, (strategy) => strategy.trades)
      return { counts: trades.map(({ length }) => length), spent: (system + user) / 1_000_000 }
    })
  )

// The processor's time, since other programs may have the machine meanwhile; later years run on warm code.
const seconds: Array<number> = []
for (let run = 1; run <= 5 && Math.min(...seconds) >= 1; run++) {
  const { counts, spent } = await year()
  assert.ok(counts.every((count) => count > 20))
  seconds.push(spent)
  if (spent < 1)
    console.log(`${HOURS} candles, ${counts.join(" + ")} trades in ${spent.toFixed(2)} s (run ${run})`)
}
assert.ok(Math.min(...seconds) < 1, `a year took ${seconds.join(" s, ")} s`)
