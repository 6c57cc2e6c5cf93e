// Stored funding rates: a file `funding.csv` in the folder of a perpetual's candles, a rate a line as `time (ms),fraction`.
import { readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isRate, merged } from "../domain/fills/FundingPage.ts"
import type { FundingRate } from "../domain/fills/FundingRate.ts"
import type { MarketId } from "../domain/Market.ts"
import { replace } from "./tape/MonthFile.ts"
import * as Place from "./tape/Place.ts"

/** The file of a perpetual. */
export const pathOf = (candles: string, id: Pick<MarketId, "exchange" | "pair">): string =>
  join(Place.folderOf(candles, { ...id, kind: "swap" }), Place.FUNDING)

/** The stored rates of a perpetual, by time; none where nothing is stored. Lines that are no rate are left out. */
export const read = (
  candles: string,
  id: Pick<MarketId, "exchange" | "pair">
): ReadonlyArray<FundingRate> => {
  const path = pathOf(candles, id)
  return merged([], textAt(path).split("\n").flatMap(rateIn))
}

const textAt = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

const LINE = /^(\d{1,15}),(-?\d+(?:\.\d+)?(?:e-\d+)?)$/

const rateIn = (line: string): ReadonlyArray<FundingRate> => {
  const found = LINE.exec(line.trim())
  const rate = { at: Number(found?.[1]), rate: Number(found?.[2]) }
  return found !== null && isRate(rate.rate) ? [rate] : []
}

/** Adds rates to those stored, whole or not at all; newer ones replace those of the same time. */
export const add = async (
  candles: string,
  id: Pick<MarketId, "exchange" | "pair">,
  rates: ReadonlyArray<FundingRate>
): Promise<void> => {
  const path = pathOf(candles, id)
  const text = merged(read(candles, id), rates)
    .map(({ at, rate }) => `${at},${rate}\n`)
    .join("")
  await mkdir(dirname(path), { recursive: true })
  await replace(path, Buffer.from(text))
}
