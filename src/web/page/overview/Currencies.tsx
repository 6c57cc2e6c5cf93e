import { useMemo } from "preact/hooks"
import { Chart, type Drawing } from "../parts/Chart.tsx"
import * as Format from "../parts/format.ts"
import { Figure, Figures, Panel } from "../parts/PageHead.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { Count, Money } from "../parts/Value.tsx"
import { setQuery } from "../router.ts"
import type { Glance } from "./Glance.ts"

type Currency = Glance["currencies"][number]

/** Equity and results of each quote currency: they cannot be added up. */
export const Currencies = ({ all, shown }: { all: ReadonlyArray<Currency>; shown: string | undefined }) => {
  const one = all.find(({ currency }) => currency === shown) ?? all[0]
  if (one === undefined) return null
  return (
    <Panel title={all.length === 1 ? `Equity in ${one.currency}` : "Equity"}>
      {all.length === 1 ? (
        <Figured of={one} />
      ) : (
        <Tabs
          label="Currencies"
          tabs={all.map(({ currency }) => ({ key: currency, title: currency }))}
          shown={one.currency}
          onShow={(currency) => setQuery({ currency })}
        >
          <Figured of={one} />
        </Tabs>
      )}
    </Panel>
  )
}

const Figured = ({ of }: { of: Currency }) => (
  <>
    <Figures>
      <Figure label="Equity" note="free cash and open positions, before the fees of closing them">
        <Money value={of.equity} currency={of.currency} />
      </Figure>
      <Figure label="Open P&L" note="if all were closed now, after fees">
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

/** The balance at the end of each day on which a trade was completed. */
const Balance = ({ of }: { of: Currency }) => {
  const { currency, days, starting_equity } = of
  // The same days come with every answer: a chart is drawn anew only where one of them differs.
  const key = `${currency} ${starting_equity} ${days.length} ${days.at(-1)?.join(" ")}`
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
        {days.length === 0
          ? "A curve of the balance begins here once trades are completed."
          : "A curve of the balance begins here with the second day that completes a trade."}
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
