import { dirname, join, resolve } from "node:path"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"

/** The folder that a server keeps its data in: that of its database. */
export const dataFolderOf = (database: string): string => dirname(resolve(database))

/** Where all recorded candles of a data folder are. */
export const candlesIn = (dataFolder: string): string => join(dataFolder, "candles")

/** `binance/BTC-USDT-spot` in the folder of candles. */
export const folderOf = (candles: string, { exchange, kind, pair }: MarketId): string =>
  join(candles, exchange, `${baseOf(pair)}-${quoteOf(pair)}-${kind}`)

/** The UTC month of a time (ms), as `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** The month that a file is called after: `2026-11.csv.gz`. */
export const monthIn = (path: string): string | undefined =>
  /(?:^|[/\\])(\d{4}-\d\d)\.csv\.gz$/.exec(path)?.[1]
