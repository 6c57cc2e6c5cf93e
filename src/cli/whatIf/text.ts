// A what-if as text for a terminal.
import type { MatchedView, WhatIfView } from "../../trading/whatIf/WhatIfView.ts"
import { columns, moment, plain } from "../program/table.ts"

/** The most trades that the text lists, those that differ most. */
const MOST_TRADES = 30
/** The most stretches without candles, and earlier tries. */
const MOST_LINES = 10

/** The text: settings, results side by side, luck, trades, stretches without candles. */
export const textOf = (view: WhatIfView): string =>
  [
    headOf(view),
    changesText(view),
    sidesOf(view),
    recordingOf(view),
    (view.luck?.lines ?? []).join("\n"),
    triesOf(view),
    tradesOf(view),
    holesOf(view),
    noticesOf(view)
  ]
    .filter((part) => part !== "")
    .join("\n\n")

const headOf = ({ currency, from, name, strategy_id, to }: WhatIfView): string =>
  `Strategy ${strategy_id}, ${plain(name)}: ${moment(from)} to ${moment(to)} (UTC), money in ${currency}`

const changesText = ({ changes }: WhatIfView): string =>
  changes.length === 0
    ? "No setting that decides about a trade is changed."
    : columns(
        ["setting", "present", "changed"],
        changes.map(({ from, setting, to }) => [setting, plain(from) || "-", plain(to) || "-"])
      )

const sidesOf = ({ changed, mode, present, real }: WhatIfView): string => {
  const sides = [real, present, changed]
  const row = (title: string, of: (side: WhatIfView["real"]) => string) => [title, ...sides.map(of)]
  return columns(
    [
      "",
      mode === "live" ? "what happened" : "what happened (paper)",
      "test, present settings",
      "test, changed settings"
    ],
    [
      row("net result", ({ net_pnl }) => money(net_pnl)),
      row("trades", ({ trades }) => String(trades)),
      row("win rate %", ({ trades, win_rate_pct }) => (trades === 0 ? "-" : win_rate_pct.toFixed(1))),
      row("profit factor", ({ profit_factor, trades }) =>
        trades === 0 ? "-" : profit_factor === null ? "no loss" : profit_factor.toFixed(2)
      ),
      row("drawdown %", ({ max_drawdown_pct }) => max_drawdown_pct.toFixed(2)),
      row("fees", ({ fees_paid }) => money(fees_paid, false)),
      row("still open", ({ open }) => String(open))
    ]
  )
}

/** How far the tests can be trusted: what the first two columns differ by is not of the settings. */
const recordingOf = ({ currency, present, real, strategy_id }: WhatIfView): string => {
  const difference = real.net_pnl - present.net_pnl
  return difference === 0
    ? "The test of the present settings comes to what happened."
    : `What happened is ${money(difference)} ${currency} from the test of the present settings: fills, fees, outages and other settings of the time. Compare the two tests with each other; signalbox compare ${strategy_id} has the reasons.`
}

const triesOf = ({ tries, tries_total }: WhatIfView): string => {
  if (tries.length < 2) return ""
  const more = tries_total > MOST_LINES ? `\n${tries_total - MOST_LINES} more are in --json.` : ""
  return `${columns(
    ["tried (UTC)", "net result", "trades", "changes"],
    tries
      .slice(0, MOST_LINES)
      .map(({ at, changes, net_pnl, trades }) => [
        moment(at),
        money(net_pnl),
        String(trades),
        changes.map(({ setting, to }) => `${setting} ${plain(to) || "-"}`).join(", ")
      ])
  )}${more}`
}

const tradesOf = ({ trades }: WhatIfView): string => {
  const differing = trades
    .filter((trade) => pnlOf(trade, "changed") !== pnlOf(trade, "present"))
    .sort((one, other) => Math.abs(gain(other)) - Math.abs(gain(one)))
  if (differing.length === 0) return "Every trade of the two tests is the same."
  const shown = differing.slice(0, MOST_TRADES).sort((one, other) => one.opened_at - other.opened_at)
  const more =
    differing.length > shown.length
      ? `\nThese differ most; ${differing.length - shown.length} more are in --json.`
      : ""
  return `${columns(
    ["opened (UTC)", "pair", "side", "happened", "present", "changed"],
    shown.map((trade) => [
      moment(trade.opened_at),
      trade.pair,
      trade.side,
      ...SIDES.map((side) => cell(pnlOf(trade, side)))
    ])
  )}${more}`
}

const SIDES = ["real", "present", "changed"] as const

const pnlOf = (trade: MatchedView, side: (typeof SIDES)[number]): number | undefined => trade[side]?.pnl

const gain = (trade: MatchedView): number => (pnlOf(trade, "changed") ?? 0) - (pnlOf(trade, "present") ?? 0)

const cell = (pnl: number | undefined): string => (pnl === undefined ? "-" : money(pnl))

const holesOf = ({ holes, holes_total }: WhatIfView): string => {
  if (holes.length === 0) return ""
  const lines = holes
    .slice(0, MOST_LINES)
    .map(({ exchange, from, pair, to }) => `  ${exchange} ${pair}: ${moment(from)} to ${moment(to)}`)
  const more = holes_total > lines.length ? [`  and ${holes_total - lines.length} more`] : []
  const [first] = holes
  return [
    "There are no candles of these times (UTC), in which neither test could trade:",
    ...lines,
    ...more,
    `signalbox candles download ${first?.exchange} ${first?.pair} --from DAY fetches them.`
  ].join("\n")
}

const noticesOf = ({ notices }: WhatIfView): string => notices.map((text) => `Note: ${text}.`).join("\n")

const money = (amount: number, isSigned = true): string =>
  amount === 0 ? "0" : `${isSigned && amount > 0 ? "+" : ""}${Number(amount.toPrecision(8))}`
