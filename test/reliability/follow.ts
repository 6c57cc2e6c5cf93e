// Recorded charts are followed message by message through the webhook of the compiled program: after each message the
// bot's position has the chart's sign and, to the market's amount step, its ratio to the full size.
import { copyFileSync, mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { SCRIPTS } from "../lib/pine/Scripts.ts"
import { barsIn } from "./follow/bars.ts"
import { type Followed, follow } from "./follow/follow.ts"
import { inFolder } from "./Program.ts"
import { World } from "./prices/World.ts"
import type { Row, Suite } from "./suite.ts"

/** One-minute candles of 13 December 2022 (bybit BTC/USDT, from QuantConnect's Lean, Apache-2.0). */
const CANDLES = resolve(import.meta.dir, "../../src/cli/demo/bybit_BTCUSDT_1m_2022-12-13.csv.gz")
/** Candles a second: sixty times so many is the replay's speed. */
const PACE = 40
/** How many candles CI has time for. */
const SHORT = 480
/** The replay begins with its first candle; messages are sent when their bar has come. */
const AHEAD_MS = 1500

const KINDS = ["swap", "spot"] as const

const suite: Suite = ({ short }) =>
  inFolder(async (folder) => {
    const candles = join(folder, "candles")
    mkdirSync(candles)
    copyFileSync(CANDLES, join(candles, "bybit_BTCUSDT_1m.csv.gz"))
    const bars = barsIn(CANDLES).slice(0, short ? SHORT : undefined)
    const speed = ["--prices", `replay:${candles}`, "--replay-speed", `${60 * PACE}`]
    const world = await World.plain(folder, "follow", speed)
    try {
      const from = performance.now() + AHEAD_MS
      const first = bars[0]?.time ?? 0
      const dueAt = (time: number) => from + (time - first) / 60 / PACE
      const charts = SCRIPTS.flatMap((script) => KINDS.map((kind) => ({ script, kind })))
      const all = await Promise.all(
        charts.map(({ kind, script }) => follow({ world, script, kind, fills: script.run(bars), dueAt }))
      )
      if ((await world.stop()) !== 0) throw new Error("the server did not end with 0")
      return all.map(rowOf)
    } finally {
      await world.kill()
    }
  })
export default suite

const rowOf = ({ apart, differences, kinds, name, steps }: Followed): Row => ({
  test: `follow: ${name}`,
  trials: steps,
  failures: differences.length,
  worst: `${apart.toFixed(2)} amount steps apart; ${kinds}`,
  details: differences.slice(0, 5)
})
