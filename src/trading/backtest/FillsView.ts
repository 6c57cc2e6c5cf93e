// What a back-test says of its fills where they are nearer to life: the model with its values, and what it could not do.
import * as Decimal from "../../domain/Decimal.ts"
import * as FillModel from "../../domain/fills/FillModel.ts"
import * as FillText from "../../domain/fills/FillText.ts"
import { utcText } from "../../domain/internal/DateFormat.ts"
import type { Backtest, BacktestResult } from "../Backtest.ts"
import * as Ledger from "../books/Ledger.ts"
import * as Funding from "./Funding.ts"
import * as Spreads from "./Spreads.ts"

/** The model by its names on the wire, the text that `--fills` takes, what funding came to, and remarks in sentences. */
export interface FillsView extends FillModel.FillModelDocument {
  readonly text: string
  readonly funding_received?: number
  readonly remarks: ReadonlyArray<string>
}

/** The parts of a back-test that it is made from. */
export type Tested = Pick<Backtest, "alerts" | "fillModel" | "funding" | "market" | "series" | "spreads">

/** The view; undefined where fills are the usual ones. */
export const viewOf = (
  tested: Tested,
  result: Pick<BacktestResult, "afterEnd" | "postings">
): FillsView | undefined => {
  const { fillModel } = tested
  if (fillModel === undefined) return undefined
  const { funding } = Ledger.balances(result.postings)
  return {
    ...FillModel.documentOf(fillModel),
    text: FillText.textOf(fillModel),
    ...(fillModel.funding === true ? { funding_received: Decimal.toNumber(Decimal.negate(funding)) } : {}),
    remarks: [
      ...afterEnd(result.afterEnd ?? 0),
      ...(fillModel.funding === true ? fundingHoles(tested) : []),
      ...(fillModel.spread === undefined ? [] : spreadHoles(tested)),
      ...(fillModel.slippageTicks === undefined ? [] : stepless(tested))
    ]
  }
}

const afterEnd = (orders: number): ReadonlyArray<string> =>
  orders === 0
    ? []
    : [
        `${orders === 1 ? "One order was" : `${orders} orders were`} on the way when the candles ended, and got the last close.`
      ]

/** The most holes that are named of one pair. */
const MOST_HOLES = 3

const PERPETUAL: ReadonlySet<string> = new Set(["long", "short", "close_long", "close_short"])

/** Where rates are missing. Only pairs whose perpetual has alerts are named. */
const fundingHoles = ({ alerts, funding, series }: Tested): ReadonlyArray<string> =>
  series.flatMap(({ columns: { at, length }, exchange, pair }) => {
    if (!alerts.some((alert) => alert.pair === pair && PERPETUAL.has(alert.type))) return []
    const rates = funding?.({ exchange, pair, kind: "swap" }) ?? []
    const holes = Funding.holesOf(rates, { from: at[0] ?? 0, to: at[length - 1] ?? 0 })
    return holes.length === 0
      ? []
      : [`Funding of ${pair} on ${exchange} is not stored ${timesOf(holes)}: it counts as 0 there.`]
  })

const timesOf = (holes: ReadonlyArray<Funding.Hole>): string => {
  const named = holes.slice(0, MOST_HOLES).map(({ from, to }) => `from ${utcText(from)} to ${utcText(to)}`)
  const more = holes.length > MOST_HOLES ? `, and ${holes.length - MOST_HOLES} more times` : ""
  return `${named.join(", ")}${more}`
}

/** Where no spread was recorded, of the markets that have alerts. */
const spreadHoles = ({ alerts, series, spreads }: Tested): ReadonlyArray<string> =>
  series.flatMap(({ columns: { at, length }, exchange, pair }) =>
    (["spot", "swap"] as const).flatMap((kind) => {
      const isTraded = alerts.some(
        (alert) => alert.pair === pair && PERPETUAL.has(alert.type) === (kind === "swap")
      )
      if (!isTraded) return []
      const recorded = spreads?.({ exchange, pair, kind }) ?? Spreads.NONE
      const holes = Spreads.holesOf(recorded, { from: at[0] ?? 0, to: at[length - 1] ?? 0 })
      const name = `${kind === "swap" ? "the perpetual of " : ""}${pair} on ${exchange}`
      return holes.length === 0
        ? []
        : [`The spread of ${name} is not recorded ${timesOf(holes)}: it counts as 0 there.`]
    })
  )

/** Markets without a price step, on which nothing can slip by steps. */
const stepless = ({ market, series }: Tested): ReadonlyArray<string> =>
  series.flatMap(({ exchange, pair }) => {
    const found = market({ exchange, pair, kind: "spot" })
    return found === undefined || Decimal.isPositive(found.priceStep)
      ? []
      : [
          `The price step of ${pair} on ${exchange} is not known: nothing slips there. Give slippage in percent.`
        ]
  })
