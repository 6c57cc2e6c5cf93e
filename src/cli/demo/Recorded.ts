// The recorded days that are embedded in the program, of one-minute candles: the demo replays the first, and the samples
// of the templates need both.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { type Columns, explainError, parse } from "../../domain/candles/CandleFile.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { Pair } from "../../domain/Market.ts"
import { RECORDED_DAYS, type TemplateSample } from "../../domain/requests/StrategyTemplates.ts"
import type { Recording } from "../../prices/CandleFiles.ts"
import * as Member from "../../prices/tape/Member.ts"
import * as Place from "../../prices/tape/Place.ts"
import rise from "./bybit_BTCUSDT_1m_2022-12-13.csv.gz" with { type: "file" }
import fall from "./coinbase_ETHUSD_1m_2017-09-04.csv.gz" with { type: "file" }

const FILES = { rise, fall } as const satisfies Readonly<Record<TemplateSample["recorded"], string>>

/**
 * What is in the files: the day on which US inflation figures came at 13:30 UTC, and the day on which China banned
 * offerings of coins. From QuantConnect's Lean, Apache License 2.0: Data/crypto/bybit/minute/btcusdt/20221213_trade.zip
 * and Data/crypto/coinbase/minute/ethusd/20170904_trade.zip.
 */
export const SOURCES: Readonly<Record<TemplateSample["recorded"], string>> = {
  rise: "Bybit BTC/USDT, 13 December 2022, one-minute candles (QuantConnect Lean, Apache-2.0)",
  fall: "Coinbase ETH/USD, 4 September 2017, one-minute candles (QuantConnect Lean, Apache-2.0)"
}

/** The file name of a day's candles. */
export const nameOf = (recorded: TemplateSample["recorded"]): string => {
  const { day, exchange, pair } = RECORDED_DAYS[recorded]
  return `${exchange}_${pair.replace("/", "")}_1m_${day}.csv.gz`
}

/** An embedded file, gzipped. */
export const bytesOf = async (recorded: TemplateSample["recorded"]): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await Bun.file(FILES[recorded]).arrayBuffer())

/** The day that the demo replays. */
export const recording = async (): Promise<Recording> => ({
  exchange: "bybit",
  pair: Pair.make("BTC/USDT"),
  columns: columns(Bun.gunzipSync(await bytesOf("rise")))
})

/** The months of the day's candles, as `--record` would have written them: for back-tests in the dashboard. */
export const record = async (database: string): Promise<void> => {
  const text = new TextDecoder().decode(Bun.gunzipSync(await bytesOf("rise")))
  const rows = text.slice(text.indexOf("\n") + 1)
  const candles = Place.candlesIn(Place.dataFolderOf(database))
  for (const kind of ["spot", "swap"] as const) {
    const folder = Place.folderOf(candles, { exchange: "bybit", pair: Pair.make("BTC/USDT"), kind })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, "2022-12.csv.gz"), Member.encode(rows), { mode: 0o600 })
  }
}

const columns = (plain: Uint8Array): Columns =>
  Either.getOrThrowWith(parse(plain, MADE_UP), (error) => new Error(explainError(error)))
