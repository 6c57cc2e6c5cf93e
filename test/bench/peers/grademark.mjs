// A peer for `bench peers`, run by Node: grademark back-tests a walk of candles with a stop and a target, entering every
// 500 candles. `grademark.mjs FOLDER CANDLES RUNS` prints the milliseconds of the best run and its trades.
import { createRequire } from "node:module"
import { join } from "node:path"

const [, , folder, candles, runs] = process.argv
const require = createRequire(join(folder, "package.json"))
const { DataFrame } = require("data-forge")
const { backtest } = require("grademark")

let seed = 42
const next = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
  return (seed >>> 0) / 4_294_967_296
}
let price = 25_000
const bars = Array.from({ length: Number(candles) }, (_, index) => {
  const open = price
  price = Math.max(5_000, open * (1 + (next() - 0.5) * 0.002))
  const [high, low] = [Math.max(open, price) + next() * 10, Math.min(open, price) - next() * 10]
  return { time: new Date(index * 60_000), open, high, low, close: price, index }
})
const series = new DataFrame(bars)
const strategy = {
  entryRule: (enterPosition, { bar }) => {
    if (bar.index % 500 === 0) enterPosition()
  },
  stopLoss: ({ entryPrice }) => entryPrice * 0.02,
  profitTarget: ({ entryPrice }) => entryPrice * 0.01
}
const times = []
let trades = 0
for (let round = 0; round < Number(runs); round++) {
  const from = performance.now()
  trades = backtest(strategy, series).length
  times.push(performance.now() - from)
}
console.log(JSON.stringify({ ms: Math.min(...times), trades }))
