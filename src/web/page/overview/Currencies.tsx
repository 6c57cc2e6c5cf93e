// Equity and results, for each quote currency on paper and for each exchange account. They are never added up.
import { useMemo } from "preact/hooks"
import { accountName, type ExchangeAccount, isSandbox } from "../accounts.ts"
import { Chart, type Drawing } from "../parts/Chart.tsx"
import * as Format from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { MoneyBadge } from "../parts/TradingBadges.tsx"
import { Count, Money } from "../parts/Value.tsx"
import { setQuery } from "../router.ts"
import type { Glance } from "./Glance.ts"

type Currency = Glance["currencies"][number]

interface Props {
  readonly all: ReadonlyArray<Currency>
  readonly accounts: ReadonlyArray<ExchangeAccount> | undefined
  readonly shown: string | undefined
}

export const Currencies = ({ all, accounts, shown }: Props) => {
  const isLive = all.some(({ account }) => account !== null)
  const sorted = [...all].sort((a, b) => rankOf(a, accounts) - rankOf(b, accounts))
  const one = sorted.find((it) => keyOf(it) === shown) ?? sorted[0]
  if (one === undefined) return null
  const titleOf = ({ account, currency }: Currency) =>
    account === null
      ? isLive
        ? `${currency} on paper`
        : currency
      : `${currency} at ${accountName(account, accounts)}`
  return (
    <Panel
      title={all.length === 1 ? `Equity in ${titleOf(one)}` : "Equity"}
      actions={<MoneyBadge account={one.account} accounts={accounts} />}
    >
      {all.length === 1 ? (
        <Figured of={one} />
      ) : (
        <Tabs
          label="Currencies"
          tabs={sorted.map((it) => ({ key: keyOf(it), title: titleOf(it) }))}
          shown={keyOf(one)}
          onShow={(currency) => setQuery({ currency })}
        >
          <Figured of={one} />
        </Tabs>
      )}
    </Panel>
  )
}

/** The tab's name in the URL. */
const keyOf = ({ account, currency }: Currency): string =>
  account === null ? currency : `${currency}-${account}`

/** Real money first, then test networks, then paper. */
const rankOf = ({ account }: Currency, accounts: Props["accounts"]): number =>
  account === null ? 2 : isSandbox(account, accounts) ? 1 : 0

const Figured = ({ of }: { of: Currency }) => (
  <>
    <Figures>
      <Figure label="Equity" note="free cash and open positions, before the fees of closing them">
        <Money value={of.equity} currency={of.currency} />
      </Figure>
      <Figure label="Open P&L" note="if all positions were closed now, after fees">
        <Money value={of.open_pnl} currency={of.currency} sign />
      </Figure>
      <Figure
        label="Net P&L"
        note={`of completed trades, since ${Format.money(of.starting_equity, of.currency)} at the start`}
      >
        <Money value={of.net_pnl} currency={of.currency} sign />
      </Figure>
      <Figure label="Trades" note={`of ${Format.counted(of.strategies, "strategy", "strategies")}`}>
        <Count value={of.trades} />
      </Figure>
    </Figures>
    <Balance of={of} />
  </>
)

/** The balance at the end of each day with a completed trade. */
const Balance = ({ of }: { of: Currency }) => {
  const { currency, days, starting_equity } = of
  // Redraw only if a day has changed, although every response brings a new array.
  const key = `${keyOf(of)} ${starting_equity} ${days.length} ${days.at(-1)?.join(" ")}`
  const drawing = useMemo<Drawing>(
    () => ({
      series: [
        {
          kind: "area",
          points: days.map(([time, net]) => ({ time, value: starting_equity + net })),
          format: (value) => Format.money(value, currency).replace(` ${currency}`, "")
        }
      ],
      fit: key
    }),
    [key]
  )
  if (days.length < 2)
    return (
      <p class="quiet">
        {days.length === 0 && of.trades > 0
          ? "Each strategy’s page has a curve of its trades."
          : days.length === 0
            ? "The balance curve appears here once trades are completed."
            : "The balance curve appears here after trades on two days."}
      </p>
    )
  return (
    <Chart
      label={`Balance in ${currency} at the end of each day, now ${Format.money(of.balance, currency)}`}
      height={240}
      {...drawing}
    />
  )
}
