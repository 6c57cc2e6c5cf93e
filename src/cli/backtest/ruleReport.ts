// The part of a back-test's report on its rule: what it raised, how warm it was, and its alerts if they are wanted.
import type { Outcome } from "../../trading/backtest/BacktestView.ts"
import { type AlertView, type RuleView, viewOf } from "../../trading/signalRule/RuleView.ts"
import { columns, moment } from "../program/table.ts"

/** The JSON: times in ms. `alerts` is there if they are listed. */
export const ruleJson = (outcome: NonNullable<Outcome["rule"]>, lists: boolean) => {
  const most = lists ? outcome.run.raised.length : 0
  const { alerts, ...view } = viewOf(outcome, { most, timeOf: (ms) => ms })
  return { name: outcome.name, ...view, ...(lists ? { alerts } : {}) }
}

type RuleJson = ReturnType<typeof ruleJson>

/** The parts of the text. */
export const ruleText = (rule: RuleJson): ReadonlyArray<string> => {
  const { alerts, alerts_total, entries, name, notes, params, timeframe } = rule
  const numbers = Object.entries(params).map(([param, value]) => `${param} ${value}`)
  const head = `Rule ${name} (${[timeframe, ...numbers].join(", ")}): ${alerts_total} alert${alerts_total === 1 ? "" : "s"}.`
  const withheld = entries.some((entry) => entry.withheld > 0)
  return [
    [head, ...notes].join("\n"),
    columns(
      ["entry", "type", "alerts", ...(withheld ? ["withheld"] : []), "when"],
      entries.map((entry) => [
        entry.by,
        entry.type,
        String(entry.alerts),
        ...(withheld ? [String(entry.withheld)] : []),
        shortened(entry)
      ])
    ),
    ...(alerts === undefined || alerts.length === 0 ? [] : [alertTable(alerts)])
  ]
}

/** Characters of a condition in the table. */
const MAX_WHEN = 100

const shortened = ({ when }: RuleView["entries"][number]): string => {
  const line = when.replaceAll(/\s+/g, " ")
  return line.length > MAX_WHEN ? `${line.slice(0, MAX_WHEN - 1)}…` : line
}

const alertTable = (alerts: ReadonlyArray<AlertView>): string =>
  columns(
    ["raised (UTC)", "pair", "type", "entry", "close", "fields", "because"],
    alerts.map((alert) => [
      moment(alert.at / 1000),
      alert.pair,
      alert.type,
      alert.by,
      alert.close === null ? "" : figure(alert.close),
      fieldsOf(alert),
      alert.withheld === null
        ? alert.values.map(({ text, value }) => `${text} ${value === null ? "-" : figure(value)}`).join(", ")
        : `withheld: ${alert.withheld}`
    ])
  )

const fieldsOf = ({ buy_percentage, close_percent, reverse, sl, tp, tps }: AlertView): string =>
  [
    ...[tp === null ? "" : `tp ${figure(tp)}`, sl === null ? "" : `sl ${figure(sl)}`],
    ...(tps ?? []).map(({ percent, price }) => `tp ${figure(price)} for ${percent} %`),
    close_percent === null ? "" : `closes ${figure(close_percent)} %`,
    buy_percentage === null ? "" : `size ${figure(buy_percentage)} %`,
    reverse === true ? "reverse" : ""
  ]
    .filter((text) => text !== "")
    .join(", ")

const figure = (value: number): string => String(Number(value.toPrecision(8)))
