// The digest of everything that the results of a sweep depend on: progress of another sweep must not be taken over.
import { createHash } from "node:crypto"
import type { Columns } from "../../domain/candles/CandleFile.ts"
import { encodeMarkets } from "../../trading/backtest/BacktestMarkets.ts"
import type { Bars } from "../../trading/indicators/Plan.ts"
import type { Family } from "../../trading/Sweep.ts"
import { version } from "../program/version.ts"
import type { Setup } from "./inputs.ts"
import type { Board } from "./Job.ts"

/** SHA-256 in hex. `plan` is what is tried, and how: stretches, search and the figure that ranks. */
export const digestOf = (family: Family, { indexes }: Board, setup: Setup, plan: unknown): string => {
  const { ground, recording, rule } = setup
  const hash = createHash("sha256")
  const text = (value: unknown) => {
    const json = JSON.stringify(value) ?? ""
    hash.update(`${json.length} ${json}`)
  }
  const candles = (columns: Columns | Bars) => {
    for (const [name, column] of Object.entries(columns))
      if (column instanceof Float64Array) {
        text([name, column.length])
        hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
      }
  }
  text([version, family.body, family.grid, family.rule, plan])
  hash.update(new Uint8Array(indexes.buffer, indexes.byteOffset, indexes.byteLength))
  text([indexes.length, encodeMarkets(ground, recording.series), recording.alerts])
  for (const { columns, exchange, pair } of recording.series) {
    text([exchange, pair])
    candles(columns)
  }
  for (const { bars, ...market } of rule?.markets ?? []) {
    text(market)
    candles(bars)
  }
  return hash.digest("hex")
}
