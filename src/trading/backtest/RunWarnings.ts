// Warnings on a back-test: settings that do not act as they read, and what makes the figures less meaningful than they
// look.
import * as Decimal from "../../domain/Decimal.ts"
import type { Backtest } from "../Backtest.ts"
import { feesOf } from "../books/Fees.ts"
import { exchangeFor } from "../Routing.ts"
import * as Warnings from "./Warnings.ts"

/** The parts of a back-test that warnings are about. */
type Tested = Pick<Backtest, "settings" | "series" | "alerts" | "fees">

/** A warning, by code. */
interface RunWarning {
  readonly code: string
  readonly text: string
}

/** All warnings, those on the settings first. */
export const warningsOf = (tested: Tested): ReadonlyArray<RunWarning> => [
  ...settingsWarnings(tested),
  ...inputWarnings(tested)
]

/** Warnings on the settings, at the taker fee of the first pair. */
const settingsWarnings = ({ fees, series: [first], settings }: Tested): ReadonlyArray<Warnings.Warning> => {
  if (first === undefined) return []
  const { taker } = feesOf(settings, fees({ ...first, kind: "spot" }))
  return Warnings.warnings(settings, Decimal.toNumber(taker) * 100)
}

const inputWarnings = ({ alerts, series, settings }: Tested): ReadonlyArray<RunWarning> => {
  const warnings: Array<RunWarning> = []
  const unlisted = series.filter(({ pair }) => exchangeFor(settings, pair) === undefined)
  if (unlisted.length > 0)
    warnings.push({
      code: "candles_not_listed",
      text: `the strategy does not list ${unlisted.map(({ pair }) => pair).join(", ")}: these candles change nothing`
    })
  if (!settings.active)
    warnings.push({ code: "inactive", text: "the strategy is not active: it enters nothing" })
  const first = new Map(series.map(({ columns, pair }) => [pair, columns.at[0] ?? 0]))
  const early = alerts.filter(({ at, pair }) => at < (first.get(pair) ?? 0)).length
  if (early > 0)
    warnings.push({
      code: "alerts_before_candles",
      text: `${early} ${early === 1 ? "alert is" : "alerts are"} from before the first candle of their pair, and are all taken at that candle`
    })
  if (alerts.length === 0)
    warnings.push({ code: "no_alerts", text: "there are no alerts: nothing is entered" })
  return warnings
}
