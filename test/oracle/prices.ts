// The volume-weighted average prices of the tables, each with the anchor of its source.
import type { Bars } from "../../src/trading/signalRule/Evaluate.ts"
import { anchored, valuesOf } from "./evaluate.ts"
import type { Output } from "./tables.ts"

const HOUR = 3_600_000
/** Longer than any table. */
const NEVER = 1e15

/** 17:00 in New York, in the summer of these candles. */
const SESSION = { everyMs: 24 * HOUR, offsetMs: 21 * HOUR }

/** The values of a column of such prices; undefined where it has another indicator. */
export const pricesOf = (
  { column, indicator, output, params }: Output,
  bars: Bars
): Float64Array | undefined => {
  if (indicator !== "VWAP") return undefined
  const anchor = String(params["anchor"] ?? "")
  const source = params["source"] === "close" ? "close" : "hlc3"
  if ("window" in params) return valuesOf("sma(ohlc4 * volume, 50) / sma(volume, 50)", bars)
  if (column === "vwap_session") return valuesOf("vwap", bars)
  if (anchor === "first bar") return anchored(bars, source, { everyMs: NEVER, offsetMs: 0 })
  if (anchor.startsWith("session")) return anchored(bars, source, SESSION)
  const hours = /^(\d+) hours$/.exec(anchor)?.[1]
  if (hours !== undefined) {
    const sign = output === "lower" ? -1 : 1
    const deviations = output === "vwap" ? 0 : sign * Number(params["deviations"])
    return anchored(bars, source, { everyMs: Number(hours) * HOUR, offsetMs: SESSION.offsetMs }, deviations)
  }
  return from(bars, 30, source)
}

/** Anchored at a row. */
const from = (bars: Bars, row: number, source: "close" | "hlc3"): Float64Array => {
  const cut = (column: Float64Array) => column.subarray(row)
  const later = {
    at: cut(bars.at),
    open: cut(bars.open),
    high: cut(bars.high),
    low: cut(bars.low),
    close: cut(bars.close),
    volume: cut(bars.volume),
    length: bars.length - row
  }
  const values = anchored(later, source, { everyMs: NEVER, offsetMs: 0 })
  return Float64Array.from([...new Float64Array(row).fill(Number.NaN), ...values])
}
