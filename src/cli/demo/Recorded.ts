// The demo's recorded day, embedded in the program: BTC/USDT on Bybit, 13 December 2022, one-minute candles.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { type Columns, explainError, parse } from "../../domain/candles/CandleFile.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { Pair } from "../../domain/Market.ts"
import type { Recording } from "../../prices/CandleFiles.ts"
import * as Member from "../../prices/tape/Member.ts"
import * as Place from "../../prices/tape/Place.ts"
import file from "./bybit_BTCUSDT_1m_2022-12-13.csv.gz" with { type: "file" }

/**
 * The day on which US inflation figures came at 13:30 UTC. From QuantConnect's Lean,
 * Data/crypto/bybit/minute/btcusdt/20221213_trade.zip, Apache License 2.0.
 */
export const SOURCE = "Bybit BTC/USDT, 13 December 2022, one-minute candles (QuantConnect Lean, Apache-2.0)"

/** The embedded file, gzipped. */
export const bytes = async (): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await Bun.file(file).arrayBuffer())

export const recording = async (): Promise<Recording> => ({
  exchange: "bybit",
  pair: Pair.make("BTC/USDT"),
  columns: columns(Bun.gunzipSync(await bytes()))
})

/** The months of the day's candles, as `--record` would have written them: for back-tests in the dashboard. */
export const record = async (database: string): Promise<void> => {
  const text = new TextDecoder().decode(Bun.gunzipSync(await bytes()))
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
