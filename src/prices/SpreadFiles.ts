// Stored spreads: files `YYYY-MM.spreads.gz` in the folder of a market's candles, a minute a line as `time (ms),percent`.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type MarketId, marketKey } from "../domain/Market.ts"
import type { Spreads } from "../trading/backtest/Spreads.ts"
import * as Member from "./tape/Member.ts"
import * as Place from "./tape/Place.ts"

/** The recorded spreads of a market; none where nothing is stored. What cannot be read is left out. */
export const read = (candles: string, market: MarketId): Spreads => {
  const folder = Place.folderOf(candles, market)
  const rows: Array<readonly [at: number, percent: number]> = []
  for (const name of namesIn(folder)) {
    for (const line of textAt(join(folder, name)).split("\n")) {
      const [, at, percent] = LINE.exec(line) ?? []
      // Lines are in sequence, so that one out of it is damage.
      if (at !== undefined && Number(at) > (rows.at(-1)?.[0] ?? -1)) rows.push([Number(at), Number(percent)])
    }
  }
  return {
    at: Float64Array.from(rows, ([at]) => at),
    percent: Float64Array.from(rows, ([, percent]) => percent)
  }
}

/** Reads the spreads of each market once. */
export const reader = (candles: string): ((market: MarketId) => Spreads) => {
  const known = new Map<string, Spreads>()
  return (market) => {
    const key = marketKey(market)
    const found = known.get(key) ?? read(candles, market)
    known.set(key, found)
    return found
  }
}

const LINE = /^(\d{1,15}),(\d{1,2}(?:\.\d{1,9})?)$/

const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
      .filter((name) => Place.spreadMonthIn(name) !== undefined)
      .sort()
  } catch {
    return []
  }
}

const textAt = (path: string): string => {
  try {
    return new TextDecoder().decode(Member.unpack(readFileSync(path)))
  } catch {
    return ""
  }
}
