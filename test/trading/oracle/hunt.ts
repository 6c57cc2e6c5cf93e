// Hunts for differences: `bun test/trading/oracle/hunt.ts [runs] [seed] [plain|chart|steps|ladders,...]`. Prints the smallest case it finds.
import * as FastCheck from "effect/FastCheck"
import type { Case } from "./Case.ts"
import { cases } from "./Cases.ts"
import { compare } from "./Compare.ts"
import type { Taste } from "./Draws.ts"
import { recordedCases } from "./Recorded.ts"

const [runs = "2000", seed = "1", style = ""] = process.argv.slice(2)
const SPOT = ["buy", "buy", "sell"] as const
const SWAP = ["long", "long", "short", "short", "close_long", "close_short"] as const
const BOTH = [...SPOT, ...SWAP]
const drawn = style === "" ? ["chart", "steps", "ladders"] : style.split(",")
const has = (name: string) => drawn.includes(name)
const TASTE: Taste = {
  candles: 14,
  alerts: 12,
  pairs: 1,
  types: SPOT,
  chart: has("chart"),
  steps: has("steps"),
  ladders: has("ladders")
}

let fragile = 0
for (const [name, arbitrary] of [
  ["spot", cases(TASTE)],
  ["swap", cases({ ...TASTE, types: SWAP })],
  ["both", cases({ ...TASTE, types: BOTH })],
  ["two pairs", cases({ ...TASTE, types: BOTH, pairs: 2 })],
  ["long", cases({ ...TASTE, types: BOTH, pairs: 2, candles: 40, alerts: 40 })],
  ["recorded", recordedCases({ ...TASTE, types: BOTH, candles: 120, alerts: 30 })]
] as const) {
  const result = FastCheck.check(
    FastCheck.property(arbitrary, (one: Case) => {
      const { difference, isFragile } = compare(one)
      if (difference === undefined) return true
      if (isFragile) {
        fragile++
        return true
      }
      return false
    }),
    { numRuns: Number(runs), seed: Number(seed) }
  )
  const [worst] = result.counterexample ?? []
  if (worst === undefined) console.log(`${name}: ${result.numRuns} cases, no difference`)
  else {
    console.log(`${name}: after ${result.numRuns} cases: ${compare(worst).difference}`)
    const { alerts, series, ...rest } = worst
    console.log(JSON.stringify(rest))
    for (const each of series) {
      console.log(JSON.stringify({ pair: each.pair, market: each.market }))
      for (const candle of each.candles) console.log(`  ${JSON.stringify(candle)}`)
    }
    for (const each of alerts) console.log(`  ${JSON.stringify(each)}`)
  }
}
console.log(`${fragile} differences at roundings left out`)
