// A rule with three indicators over a million candles, beside a loop that is written by hand for it alone and raises the
// same alerts; and the rules of a sweep together, beside each alone.
import * as Either from "effect/Either"
import { check, type SignalRule } from "../../src/domain/signalRule/SignalRule.ts"
import type { Bars } from "../../src/trading/signalRule/Evaluate.ts"
import { alertsOf, raisedBy } from "../../src/trading/signalRule/RuleAlerts.ts"
import { rowsOf } from "../../src/trading/signalRule/RuleCandles.ts"
import { compare } from "./compare.ts"
import type { Line } from "./line.ts"

const CANDLES = 1_000_000
const MINUTE = 60_000
/** Candles a second of the processor's time, which other work of the machine does not take away. */
const LEAST = 5_000_000
const FLOOR = 0.3
const ROUNDS = 15
const WARM_UPS = 10

const [FAST, SLOW, LENGTH, LIMIT] = [9, 21, 14, 70]
const RULE: SignalRule = {
  timeframe: "1m",
  params: { fast: FAST, slow: SLOW },
  on: [
    {
      type: "buy",
      when: `crossover(ema(close, fast), ema(close, slow)) and rsi(close, ${LENGTH}) < ${LIMIT}`
    }
  ]
}

/** Closes of a random walk, the same at every run. */
const walk = (): Bars => {
  const close = new Float64Array(CANDLES)
  let seed = 42
  let price = 25_000
  for (let row = 0; row < CANDLES; row++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    price *= 1 + ((seed >>> 0) / 4_294_967_296 - 0.5) * 0.002
    close[row] = price
  }
  const at = close.map((_, row) => row * MINUTE)
  return { at, open: close, high: close, low: close, close, volume: close, length: CANDLES }
}

/** The loop: local variables only, and nothing that this rule does not need. */
const handwritten = ({ close, length }: Bars): ReadonlyArray<number> => {
  const rows: Array<number> = []
  const [a, b, w] = [2 / (FAST + 1), 2 / (SLOW + 1), 1 / LENGTH]
  let [fast, slow, gains, losses, before] = [0, 0, 0, 0, close[0] ?? 0]
  let [wasAbove, held] = [true, true]
  for (let row = 0; row < length; row++) {
    const price = close[row] ?? 0
    fast = row < FAST ? fast + price / FAST : fast + a * (price - fast)
    slow = row < SLOW ? slow + price / SLOW : slow + b * (price - slow)
    const change = price - before
    before = price
    const gain = Math.max(change, 0)
    const loss = Math.max(-change, 0)
    if (row > LENGTH) {
      gains += w * (gain - gains)
      losses += w * (loss - losses)
    } else {
      gains += w * gain
      losses += w * loss
    }
    const isAbove = fast > slow
    const rsi = 100 - 100 / (1 + gains / losses)
    const holds = isAbove && !wasAbove && rsi < LIMIT
    if (holds && !held && row >= 21 * LENGTH + 1) rows.push(row)
    wasAbove = isAbove
    held = holds
  }
  return rows
}

/** The least processor time of some runs, in ms. */
const processorMs = (run: () => unknown): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const from = process.cpuUsage()
      run()
      const { system, user } = process.cpuUsage(from)
      return (system + user) / 1_000
    })
  )

/** The rules of a sweep: their averages are few, and their crossings many. */
const SWEPT = Array.from({ length: 64 }, (_, index) => ({ fast: 5 + (index % 8), slow: 20 + (index >> 3) }))
const SWEPT_CANDLES = 50_000
const SWEPT_ROUNDS = 5
/** How many times faster they are together. */
const SHARED_FLOOR = 1.5

const sharing = async (bars: Bars, rounds: number): Promise<Line> => {
  const part = rowsOf(bars, 0, SWEPT_CANDLES)
  const all = SWEPT.map((params) => Either.getOrThrow(check({ ...RULE, params })))
  const together = () => raisedBy(all, part).map(({ alerts }) => alerts.length)
  const alone = () => all.map((rule) => alertsOf(rule, part).length)
  const same = together().join() === alone().join()
  const { left, ratio, right } = await compare(together, alone, rounds, 1)
  const rate = ((SWEPT.length * SWEPT_CANDLES) / left) * 1_000
  const text =
    `${SWEPT.length} rules of a sweep over 50,000 candles: ${left.toFixed(1)} ms together, ${(rate / 1e6).toFixed(1)} million candles a second and rule; ` +
    `${right.toFixed(1)} ms one by one; ratio ${ratio.toFixed(2)} (floor ${SHARED_FLOOR}); ${same ? "the same alerts" : "other alerts"}`
  return { name: "rules.sharing", text, ok: same && ratio >= SHARED_FLOOR, ratio }
}

const rules = async (): Promise<ReadonlyArray<Line>> => {
  const bars = walk()
  const rule = Either.getOrThrow(check(RULE))
  const ours = alertsOf(rule, bars).map(({ at }) => at / MINUTE - 1)
  const theirs = handwritten(bars)
  const same = ours.length > 1_000 && ours.join() === theirs.join()
  const { left, ratio, right } = await compare(
    () => alertsOf(rule, bars),
    () => handwritten(bars),
    ROUNDS,
    WARM_UPS
  )
  const rate = (CANDLES / processorMs(() => alertsOf(rule, bars))) * 1_000
  const text =
    `1,000,000 candles, 3 indicators, ${ours.length} alerts: ${left.toFixed(1)} ms, ${(rate / 1e6).toFixed(1)} million a second ` +
    `(floor ${LEAST / 1e6}); hand-written ${right.toFixed(1)} ms; ratio ${ratio.toFixed(2)} (floor ${FLOOR}); ` +
    (same ? "the same alerts" : `${theirs.length} other alerts`)
  return [
    { name: "rules.columns", text, ok: same && ratio >= FLOOR && rate >= LEAST, ratio },
    await sharing(bars, SWEPT_ROUNDS)
  ]
}

/** The line that takes seconds only, and whose ratio releases keep. */
export const short = async (): Promise<ReadonlyArray<Line>> => [await sharing(walk(), 1)]

export default rules
