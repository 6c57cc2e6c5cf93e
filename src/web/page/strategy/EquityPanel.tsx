// A strategy's equity marked to the market in its current period: its curve, its figures, and its completed trades in
// groups. Figures of completed trades alone are in Results.
import { call } from "../client.ts"
import { MarkedCurve } from "../figures/MarkedCurve.tsx"
import { MarkedFigures } from "../figures/MarkedFigures.tsx"
import { TradeGroups } from "../figures/TradeGroups.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { Notice } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"

interface Props {
  readonly id: number
  /** The performance period; each has a curve of its own. */
  readonly period: number
}

/** A sample is taken each minute. */
const EVERY_MS = 60_000

export const EquityPanel = ({ id, period }: Props) => {
  const query = useQuery(
    `figures ${id} ${period}`,
    (signal) => call("dashboard", "figures", { path: { id }, signal, urlParams: {} }),
    { on: ({ strategy_id, rule }) => strategy_id === id && rule === "trade", everyMs: EVERY_MS }
  )
  return (
    <Loaded query={query}>
      {({ figures, points }) => (
        <>
          <Panel title="Equity">
            {figures.samples === 0 ? (
              <Empty title="No equity was measured yet">
                <p>It is measured once a minute while the server runs, with open positions at market.</p>
              </Empty>
            ) : (
              <MarkedCurve points={points} currency={figures.currency} explain={EXPLAIN} />
            )}
          </Panel>
          {figures.samples === 0 ? null : (
            <>
              {figures.samples < FEW ? (
                <Notice>
                  {`These figures come from ${Format.counted(figures.samples, "measurement")} so far: what lies between them is not seen.`}
                </Notice>
              ) : null}
              <MarkedFigures figures={figures} />
            </>
          )}
          <TradeGroups completed={figures.completed} currency={figures.currency} />
        </>
      )}
    </Loaded>
  )
}

/** Measurements of an hour. */
const FEW = 60

const EXPLAIN =
  "Equity marked to the market once a minute while the server runs: open positions count at the last price. Grey is what buying the strategy's pairs in equal parts and holding them would be worth. Below, the drawdown from the highest equity so far. Prices within a minute are not seen."
