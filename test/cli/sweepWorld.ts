// The files of sweeps over hours of a random walk, with an alert to buy now and then, and the program run on them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ended, program } from "../lib/cli.ts"
import { STRATEGY } from "../lib/strategy.ts"

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** Hours of candles as rows of CSV. Prices are those of `price`, at the beginning of each hour. */
export const hours = (count: number, price: (hour: number) => number = walk): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, hour) => {
    const [open, close] = [price(hour), price(hour + 1)]
    return [hour * HOUR, open, Math.max(open, close) + 0.3, Math.min(open, close) - 0.3, close, 1].join(",")
  })

/** A random walk, the same each time, so that every stretch has another choice. */
const WALK = (() => {
  let [price, seed] = [100, 5]
  return Array.from({ length: 5_000 }, () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0
    price *= 1 + ((seed >>> 0) / 2 ** 32 - 0.5) * 0.03
    return price
  })
})()
const walk = (hour: number): number => WALK[hour] ?? 100

/** An alert to buy every `each` hours. */
export const buys = (count: number, each = 11): ReadonlyArray<string> =>
  Array.from({ length: Math.floor(count / each) }, (_, nth) =>
    JSON.stringify({ time: nth * each * HOUR + 1, coin: "BTC", quote_currency: "USDT", type: "buy" })
  )

/** A folder of files, with the program to run in it. */
export const world = () => {
  const folder = mkdtempSync(join(tmpdir(), "sweep-"))
  const file = (name: string) => join(folder, name)
  const spawn = (...args: ReadonlyArray<string>) =>
    Bun.spawn([...program, "sweep", ...args], { cwd: folder, stdout: "pipe", stderr: "pipe" })
  return {
    file,
    write: (name: string, lines: ReadonlyArray<string>) => Bun.write(file(name), lines.join("\n")),
    spawn,
    sweep: (...args: ReadonlyArray<string>) => ended(spawn(...args)),
    remove: () => rmSync(folder, { recursive: true })
  }
}

export const strategy = { ...STRATEGY, stop_loss: true }
export const usual = (candles = "c.csv") => [
  "--strategy",
  "s.json",
  "--grid",
  "g.json",
  "--candles",
  `BTC/USDT=${candles}`,
  "--alerts",
  "a.jsonl",
  "--any-time"
]
