// Made-up candles, and files of them as a server records them.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type MarketKind, Pair } from "../../src/domain/Market.ts"
import * as Member from "../../src/prices/tape/Member.ts"
import * as Place from "../../src/prices/tape/Place.ts"

export const MINUTE = 60_000

/** Candles that go up and down in ten minutes and on the whole up, one a minute. */
export const wave = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const close = 100 + 10 * Math.sin(index / 10) + index / 50
    const open = 100 + 10 * Math.sin((index - 1) / 10) + (index - 1) / 50
    const cells = [open, Math.max(open, close) + 0.5, Math.min(open, close) - 0.5, close].map((it) =>
      it.toFixed(2)
    )
    return `${from + index * MINUTE},${cells.join(",")},1\n`
  }).join("")

/** A month's file of one market on binance in a data folder: a long member, and one that was added to it. */
export const record = (
  folder: string,
  pair: string,
  month: string,
  rows: string,
  kind: MarketKind = "spot"
): void => {
  const market = { exchange: "binance", pair: Pair.make(pair), kind } as const
  const path = join(Place.folderOf(Place.candlesIn(folder), market), `${month}.csv.gz`)
  mkdirSync(dirname(path), { recursive: true })
  const lines = rows.trimEnd().split("\n")
  const members = [lines.slice(0, -1), lines.slice(-1)].map((some) => Member.encode(`${some.join("\n")}\n`))
  writeFileSync(path, Buffer.concat(members))
}
