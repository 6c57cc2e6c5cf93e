// The paths of recorded candles: `candles/EXCHANGE/BASE-QUOTE-KIND/YYYY-MM.csv.gz` in the data folder.
import { dirname, join, resolve } from "node:path"
import { baseOf, type MarketId, quoteOf } from "../../domain/Market.ts"

/** The data folder of a server: that of its database. */
export const dataFolderOf = (database: string): string => dirname(resolve(database))

/** The folder of all recorded candles. */
export const candlesIn = (dataFolder: string): string => join(dataFolder, "candles")

/** The folder of a market: `binance/BTC-USDT-spot`. */
export const folderOf = (candles: string, { exchange, kind, pair }: MarketId): string =>
  join(candles, exchange, `${baseOf(pair)}-${quoteOf(pair)}-${kind}`)

/** The UTC month of a time (ms), as `2026-11`. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7)

/** The month in a file's name: `2026-11.csv.gz`. */
export const monthIn = (path: string): string | undefined =>
  /(?:^|[/\\])(\d{4}-\d\d)\.csv\.gz$/.exec(path)?.[1]
