// A comparison as text for a terminal.
import type { ComparisonView } from "../../api/Backtests.ts"
import { columns, moment, plain } from "../program/table.ts"

/** The most trades that the text lists, those that differ most. */
const MOST_TRADES = 30
/** The most stretches without candles that the text lists. */
const MOST_HOLES = 10

/** A comparison of this process or of a server. */
export type Shown = Omit<ComparisonView, "strategy_id"> & { readonly strategy_id: number }
type ShownTrade = Shown["trades"][number]

/** The text: results, parts, what the parts leave, trades, stretches without candles. */
export const textOf = (view: Shown): string =>
  [headOf(view), partsOf(view), restOf(view), tradesOf(view), holesOf(view), noticesOf(view)]
    .filter((part) => part !== "")
    .join("\n\n")

const headOf = ({
  currency,
  difference,
  from,
  live,
  mode,
  name,
  period,
  strategy_id,
  test,
  to
}: Shown): string =>
  [
    `Strategy ${strategy_id}, ${plain(name)}${period === 1 ? "" : `, period ${period} of its bot`}: ${moment(from)} to ${moment(to)} (UTC), money in ${currency}`,
    "",
    columns(
      ["", "net result", "trades"],
      [
        [mode === "live" ? "with real money" : "on paper", money(live.pnl), String(live.trades)],
        ["in the test", money(test.pnl), String(test.trades)],
        ["difference", money(difference), ""]
      ]
    )
  ].join("\n")

const partsOf = ({ parts }: Shown): string =>
  columns(
    ["part", "amount", "trades", "because"],
    parts.map(({ amount, label, text, trades }) => [label, money(amount), String(trades), text])
  )

const restOf = ({ remainder }: Shown): string =>
  remainder === 0
    ? "The rest is 0: the parts explain the whole difference."
    : `The rest is ${money(remainder)}: even at the real moments and prices the test decides otherwise there, as minute candles lack prices that the bot saw. If that cannot be, signalbox verify checks the books.`

const tradesOf = ({ parts, trades }: Shown): string => {
  const differing = trades
    .filter(({ difference }) => difference !== 0)
    .sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference))
  if (differing.length === 0) return "Every trade is as in the test."
  const shown = differing.slice(0, MOST_TRADES).sort((one, other) => openedAt(one) - openedAt(other))
  const more =
    differing.length > shown.length
      ? `\nThese differ most; ${differing.length - shown.length} more are in --json.`
      : ""
  return `${columns(
    ["opened (UTC)", "pair", "side", "result", "test", "difference", "why"],
    shown.map((trade) => tradeRow(trade, parts))
  )}${more}`
}

const openedAt = ({ live, test }: ShownTrade): number => live?.opened_at ?? test?.opened_at ?? 0

const tradeRow = (trade: ShownTrade, parts: Shown["parts"]): ReadonlyArray<string> => {
  const { difference, live, main, pair, side, test, why } = trade
  const label = parts.find(({ part }) => part === main)?.label ?? why
  return [
    moment(openedAt(trade)),
    pair,
    side,
    live === null ? "-" : money(live.pnl),
    test === null ? "-" : money(test.pnl),
    money(difference),
    live === null || test === null ? why : label
  ]
}

const holesOf = ({ holes, holes_total }: Shown): string => {
  if (holes.length === 0) return ""
  const lines = holes
    .slice(0, MOST_HOLES)
    .map(({ exchange, from, pair, to }) => `  ${exchange} ${pair}: ${moment(from)} to ${moment(to)}`)
  const more = holes_total > lines.length ? [`  and ${holes_total - lines.length} more`] : []
  const [first] = holes
  return [
    "There are no candles of these times (UTC), so nothing that traded then is compared:",
    ...lines,
    ...more,
    `signalbox candles download ${first?.exchange} ${first?.pair} --from DAY fetches them.`
  ].join("\n")
}

const noticesOf = ({ notices }: Shown): string => notices.map((text) => `Note: ${text}.`).join("\n")

const money = (amount: number): string =>
  amount === 0 ? "0" : `${amount > 0 ? "+" : ""}${Number(amount.toPrecision(8))}`
