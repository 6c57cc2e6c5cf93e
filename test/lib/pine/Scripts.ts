// Scripts of signals as people write them for a chart, run over recorded bars into the list of their order fills.
import { type Bar, Broker, type Fill } from "./Broker.ts"
import { atr, crossover, ema, highestBefore, rsi } from "./Indicators.ts"

/** A script: what it is about, how many entries it may have in one direction, and its fills over bars. */
export interface Script {
  readonly name: string
  readonly pyramiding: number
  readonly run: (bars: ReadonlyArray<Bar>) => ReadonlyArray<Fill>
}

/** Runs a script's body after each bar has closed; its orders fill from the next one on. */
const each = (bars: ReadonlyArray<Bar>, broker: Broker, body: (index: number, bar: Bar) => void) => {
  bars.forEach((bar, index) => {
    broker.bar(bar)
    body(index, bar)
  })
  return broker.fills
}

const closesOf = (bars: ReadonlyArray<Bar>) => bars.map(({ close }) => close)

/** Two averages cross: always in the market, long or short. */
const reversal: Script = {
  name: "reversal: ema 9/21, always long or short",
  pyramiding: 1,
  run: (bars) => {
    const broker = new Broker({ pyramiding: 1, quantity: 1 })
    const fast = ema(closesOf(bars), 9)
    const slow = ema(closesOf(bars), 21)
    const up = crossover(fast, slow)
    const down = crossover(slow, fast)
    return each(bars, broker, (index) => {
      if (up[index]) broker.entry("Long", "long")
      if (down[index]) broker.entry("Short", "short")
    })
  }
}

/** Adds at each new high up to three times, takes half when it runs hot, leaves when the trend ends. */
const pyramid: Script = {
  name: "pyramid: 3 entries at highs, half off at rsi 70, out under ema 30",
  pyramiding: 3,
  run: (bars) => {
    const broker = new Broker({ pyramiding: 3, quantity: 2 })
    const closes = closesOf(bars)
    const trend = ema(closes, 30)
    const heat = rsi(closes, 14)
    const highs = highestBefore(closes, 20)
    let entered = 0
    return each(bars, broker, (index, { close }) => {
      const [ceiling = Number.NaN, floor = Number.NaN] = [highs[index], trend[index]]
      if (close > ceiling) {
        entered++
        broker.entry(`L${entered}`, "long")
      }
      if ((heat[index - 1] ?? 0) < 75 && (heat[index] ?? 0) >= 75) broker.close("Half", 50)
      if (close < floor) broker.close("Out")
    })
  }
}

/** Turns with the trend, scales out at three prices, with a stop under the rest. */
const scaling: Script = {
  name: "scaling: 30 % and 50 % at targets, a stop for the rest, turned by ema 12/26",
  pyramiding: 1,
  run: (bars) => {
    const broker = new Broker({ pyramiding: 1, quantity: 10 })
    const closes = closesOf(bars)
    const fast = ema(closes, 12)
    const slow = ema(closes, 26)
    const range = atr(bars, 14)
    const up = crossover(fast, slow)
    const down = crossover(slow, fast)
    let entry = Number.NaN
    let reach = Number.NaN
    return each(bars, broker, (index, { close }) => {
      if (up[index] || down[index]) {
        broker.entry(up[index] ? "Long" : "Short", up[index] ? "long" : "short")
        entry = close
        reach = range[index] ?? Number.NaN
      }
      if (broker.size === 0 || Number.isNaN(reach)) return
      const way = broker.size > 0 ? 1 : -1
      const stop = entry - way * 3 * reach
      broker.exit({ id: "TP1", qtyPercent: 30, limit: entry + way * reach, stop })
      broker.exit({ id: "TP2", qtyPercent: 50, limit: entry + way * 2.5 * reach, stop })
      broker.exit({ id: "Rest", limit: entry + way * 6 * reach, stop })
    })
  }
}

/** Buys more in thirds as it falls and sells a fixed amount as it rises, with plain orders through zero. */
const net: Script = {
  name: "net: plain orders of 3, from short through zero to long and back",
  pyramiding: 1,
  run: (bars) => {
    const broker = new Broker({ pyramiding: 1, quantity: 3 })
    const heat = rsi(closesOf(bars), 7)
    return each(bars, broker, (index) => {
      const [now = 50, before = 50] = [heat[index], heat[index - 1]]
      if (now < 25 && before >= 25 && broker.size < 6) broker.order("Dip", "long")
      if (now > 75 && before <= 75 && broker.size > -6) broker.order("Rip", "short")
    })
  }
}

/** All scripts. */
export const SCRIPTS: ReadonlyArray<Script> = [reversal, pyramid, scaling, net]
