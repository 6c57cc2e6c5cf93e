// The demo's recorded day, embedded in the program: BTC/USDT on Bybit, 13 December 2022, one-minute candles.
import * as Either from "effect/Either"
import { type Columns, explainError, parse } from "../../domain/candles/CandleFile.ts"
import { MADE_UP } from "../../domain/candles/CandleTime.ts"
import { Pair } from "../../domain/Market.ts"
import type { Recording } from "../../prices/CandleFiles.ts"
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

const columns = (plain: Uint8Array): Columns =>
  Either.getOrThrowWith(parse(plain, MADE_UP), (error) => new Error(explainError(error)))
