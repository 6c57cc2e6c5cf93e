// A year of trading in a unit test: hourly candles, alerts where a short mean crosses a long one, three strategies, the
// real engine, and a clock under which the year takes less than a second.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { Pair } from "signalbox/domain/Market"
import { PriceScript, TestServer } from "signalbox/testing"

const candles = PriceScript.walk({ candles: 8760, price: 60_000, swing: 0.012, seed: 7 })
const mean = (end: number, length: number) =>
  candles.slice(Math.max(0, end - length), end).reduce((sum, { close }) => sum + close, 0) / length

let isAbove = false
const crossings: PriceScript.Script = candles.flatMap(({ at }, hour) => {
  const above = hour > 72 && mean(hour, 24) > mean(hour, 72)
  if (above === isAbove) return []
  isAbove = above
  return [{ at, act: { _tag: "Alert", type: above ? "buy" : "sell", pair: Pair.make("BTC/USDT") } }] as const
})

const options: TestServer.RunOptions = {
  prices: PriceScript.merge(crossings, PriceScript.ofCandles(candles)),
  strategies: [
    { name: "Plain", buy_percentage: 50 },
    { name: "Stopped", buy_percentage: 50, stop_loss: true, stop_loss_percentage: 3 },
    { name: "Trailing", trailing_sell: true, trailing_sell_arm: 3, trailing_sell_percentage: 1 }
  ]
}

const year = () =>
  TestServer.run(options, (server) =>
    Effect.gen(function* () {
      const [began, spent] = [performance.now(), process.cpuUsage()]
      yield* server.play()
      // The wall's time, or this process's own where others have the machine meanwhile.
      const { system, user } = process.cpuUsage(spent)
      const ms = Math.min(performance.now() - began, (system + user) / 1000)
      return { ms, views: yield* Effect.forEach(server.strategies, ({ view }) => view) }
    })
  )

const first = await year()
const ms = first.ms < 1000 ? first.ms : (await year()).ms
const counts = first.views.map(({ performance }) => performance.summary.trade_count)
assert.ok(counts.every((count) => count > 20))
assert.ok(ms < 1000, `it took ${ms} ms`)
console.log(`8760 candles and ${counts.join(" + ")} trades in ${Math.round(ms)} ms`)
