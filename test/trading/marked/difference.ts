// The first figure that the program and the second calculation differ in.
import * as Schema from "effect/Schema"
import * as EquityFold from "../../../src/trading/equity/EquityFold.ts"
import * as Figures from "../../../src/trading/equity/Figures.ts"
import type { Candle, Case, CaseAlert } from "../oracle/Case.ts"
import { ran } from "../oracle/Program.ts"
import { type Beginning, completed, drawdowns, marked, type Sample } from "./Independent.ts"
import { samplesOf } from "./Samples.ts"

/** A case whose candles and alerts lie so many times as far apart. */
export const stretched = (one: Case, factor: number): Case => {
  const starts = one.series.flatMap(({ candles }) => candles.map(([at]) => at))
  const first = Math.min(...starts, ...one.alerts.map(({ time }) => time))
  const moved = (at: number): number => Math.round(first + (at - first) * factor)
  return {
    ...one,
    series: one.series.map((series) => ({
      ...series,
      candles: series.candles.map(([at, ...prices]): Candle => [moved(at), ...prices])
    })),
    alerts: one.alerts.map((alert): CaseAlert => ({ ...alert, time: moved(alert.time) }))
  }
}

/** Half a unit of the last place that is shown, and what doubles lose. */
const isNear = (ours: unknown, theirs: unknown, places: number): boolean =>
  typeof ours === "number" && typeof theirs === "number" && Number.isFinite(theirs)
    ? Math.abs(ours - theirs) <= 0.51 * 10 ** -places + 1e-9 * Math.abs(theirs)
    : ours === theirs

const MONEY = new Set(["starting_equity", "equity", "expectancy", "net_pnl", "fees"])

const fieldDifference = (name: string, ours: object, theirs: object): string | undefined => {
  const our = new Map<string, unknown>(Object.entries(ours))
  const names = new Set([...our.keys(), ...Object.keys(theirs)])
  for (const [field, value] of Object.entries(theirs)) {
    names.delete(field)
    if (!isNear(our.get(field), value, MONEY.has(field) ? 8 : 4))
      return `${name}.${field}: the program has ${our.get(field)}, the second calculation ${value}`
  }
  return names.size === 0 ? undefined : `${name}: fields that nobody checks: ${[...names].join(", ")}`
}

type Group = {
  readonly trades: number
  readonly wins: number
  readonly net_pnl: number
  readonly fees: number
}
type Keyed = Group & { readonly key: string }

const groupDifference = (
  name: string,
  ours: ReadonlyArray<Keyed>,
  theirs: ReadonlyArray<Keyed>
): string | undefined => {
  const sorted = ours.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  if (sorted.length !== theirs.length) return `${name}: ${ours.length} groups instead of ${theirs.length}`
  for (const [index, their] of theirs.entries()) {
    const found = fieldDifference(`${name}[${index}]`, sorted[index] ?? {}, their)
    if (found !== undefined) return found
  }
  return undefined
}

const keyed = ({ fees, net_pnl, trades, wins }: Group, key: string): Keyed => ({
  key,
  trades,
  wins,
  net_pnl,
  fees
})

/** Runs a case and compares all figures and points; undefined where they agree. */
export const difference = (one: Case): string | undefined => {
  const { answer, fills } = ran(one)
  const flows = fills.map(({ fill, order }) => ({ fill, isLiquidation: order.exitReason === "liquidation" }))
  const samples = samplesOf(one, flows)
  const begin = { at: samples[0]?.at ?? 0, equity: one.balance }
  const trades = answer.trades.map(({ closed_at, exchange, exit_reason, fees, kind, pair, pnl }) => ({
    closedAt: closed_at,
    market: `${exchange} ${pair} ${kind}`,
    reason: exit_reason,
    pnl,
    fees
  }))
  const { by_exit_reason, by_month, by_pair, ...others } = answer.figures.completed
  const { markets, months, reasons, ...own } = completed(trades)
  return (
    fieldDifference("marked", answer.figures.marked, marked(begin, samples) ?? {}) ??
    fieldDifference("completed", others, own) ??
    groupDifference(
      "by_pair",
      by_pair.map((group) => keyed(group, `${group.exchange} ${group.pair} ${group.kind}`)),
      markets
    ) ??
    groupDifference(
      "by_exit_reason",
      by_exit_reason.map((group) => keyed(group, group.exit_reason)),
      reasons
    ) ??
    groupDifference(
      "by_month",
      by_month.map((group) => keyed(group, group.month)),
      months
    ) ??
    pointDifference(answer.points, begin, samples)
  )
}

type Samples = ReturnType<typeof samplesOf>
type Points = ReturnType<typeof ran>["answer"]["points"]

/** Folds samples of a running server one by one, the state going through its JSON; undefined where all figures agree. */
export const foldDifference = (begin: Beginning, samples: ReadonlyArray<Sample>): string | undefined => {
  const text = Schema.parseJson(EquityFold.EquityState)
  const state = samples.reduce(
    (json, sample) => Schema.encodeSync(text)(EquityFold.add(Schema.decodeSync(text)(json), sample)),
    Schema.encodeSync(text)(EquityFold.begin(begin.equity, begin.at))
  )
  const hold = samples.at(-1)?.hold ?? null
  const measured = { currency: "USDT", state: Schema.decodeSync(text)(state), hold, groups: [] }
  return fieldDifference("marked", Figures.inMs(measured).marked, marked(begin, samples) ?? {})
}

/** Small cases are shown whole: the first point, and one for each sample. */
const pointDifference = (
  points: Points,
  begin: { readonly at: number; readonly equity: number },
  samples: Samples
): string | undefined => {
  if (points.length !== samples.length + 1) return `${points.length} points of ${samples.length} samples`
  const falls = drawdowns(begin, samples)
  for (const [index, sample] of samples.entries()) {
    const [at, equity, drawdown, hold] = points[index + 1] ?? []
    const isSame =
      at === sample.at &&
      isNear(equity, sample.equity, 8) &&
      isNear(drawdown, falls[index], 4) &&
      isNear(hold, sample.hold, 8)
    if (!isSame)
      return `point ${index + 1}: ${[at, equity, drawdown, hold]} instead of ${Object.values(sample)}`
  }
  return undefined
}
