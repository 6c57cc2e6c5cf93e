// The day of recorded prices that the program ships, as files to replay.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { command } from "../../reliability/Program.ts"
import { must } from "../../reliability/prices/until.ts"

/** A minute's line: when it began (ms), open, high, low, close, volume. */
export type Minute = readonly [
  at: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number
]

/** What `signalbox example` writes: strategy, candles, alerts. */
export interface Example {
  readonly folder: string
  readonly strategy: Readonly<Record<string, unknown>>
  readonly alerts: string
  /** The path of the candles' file. */
  readonly candles: string
  readonly minutes: ReadonlyArray<Minute>
}

export const example = async (folder: string): Promise<Example> => {
  const target = join(folder, "example")
  const { exitCode, stderr } = await command(["example", target, "--force"])
  must(exitCode === 0, stderr)
  const name = readdirSync(target).find((it) => it.endsWith(".csv.gz")) ?? ""
  const candles = join(target, name)
  const plain = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(candles).bytes()))
  return {
    folder: target,
    strategy: await Bun.file(join(target, "strategy.json")).json(),
    alerts: await Bun.file(join(target, "alerts.jsonl")).text(),
    candles,
    minutes: plain.trim().split("\n").slice(1).map(minute)
  }
}

const minute = (line: string): Minute => {
  const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = line.split(",").map(Number)
  return [at, open, high, low, close, volume]
}

/** Writes minutes of BTC/USDT to a folder of their own, to be replayed from there. */
export const recorded = (folder: string, minutes: ReadonlyArray<Minute>, exchange = "bybit"): string => {
  const target = join(folder, "prices")
  mkdirSync(target, { recursive: true })
  const lines = ["ts_ms,open,high,low,close,volume", ...minutes.map((it) => it.join(","))]
  writeFileSync(join(target, `${exchange}_BTCUSDT_1m.csv`), `${lines.join("\n")}\n`)
  return target
}

/** The same minutes as if they had begun at another time (ms). */
export const shifted = (minutes: ReadonlyArray<Minute>, to: number): ReadonlyArray<Minute> => {
  const from = minutes[0]?.[0] ?? to
  return minutes.map(([at, ...prices]) => [at - from + to, ...prices])
}
