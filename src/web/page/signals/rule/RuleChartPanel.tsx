// The markets of a rule with what it sees: candles, the lines of its conditions, where it fires, and its values at present.
import { useId, useMemo, useState } from "preact/hooks"
import { call } from "../../client.ts"
import { Chart } from "../../parts/Chart.tsx"
import { Panel } from "../../parts/PageHead.tsx"
import { Empty, Loaded } from "../../parts/States.tsx"
import { useQuery } from "../../query.ts"
import {
  heightOf,
  type Market,
  marketName,
  marksOf,
  needsText,
  notesOf,
  type RuleChart,
  remarksOf,
  seriesOf
} from "./chart.ts"
import type { Rule } from "./draft.ts"
import { LiveValues } from "./LiveValues.tsx"
import { Trial } from "./Trial.tsx"

const AGAIN_MS = 15_000

/** The markets of a rule. */
const marketsOf = ({ markets }: Rule): ReadonlyArray<Market> =>
  markets.flatMap(({ exchange, kind = "spot", pairs }) => pairs.map((pair) => ({ exchange, kind, pair })))

export const RuleChartPanel = ({ rule, signal }: { rule: Rule; signal: number }) => {
  const markets = marketsOf(rule)
  const [chosen, setChosen] = useState("")
  const market = markets.find((it) => marketName(it) === chosen) ?? markets[0]
  // A rule that was changed has another chart.
  const version = JSON.stringify(rule)
  const query = useQuery(
    market === undefined ? null : `rule chart ${signal} ${marketName(market)} ${version}`,
    (abort) => call("rules", "chart", { path: { id: signal }, urlParams: { ...market }, signal: abort }),
    { everyMs: AGAIN_MS }
  )
  if (market === undefined) return null
  return (
    <>
      <Panel
        title="Rule on the chart"
        actions={
          markets.length < 2 ? undefined : (
            <MarketChoice names={markets.map(marketName)} value={marketName(market)} onChoose={setChosen} />
          )
        }
      >
        <Loaded query={query}>
          {(chart) =>
            chart.candles.length === 0 ? (
              <NoCandles chart={chart} />
            ) : (
              <>
                <Drawn chart={chart} />
                <LiveValues chart={chart} />
              </>
            )
          }
        </Loaded>
      </Panel>
      {query.data === undefined ? null : (
        <Trial
          key={marketName(market)}
          rule={rule}
          signal={signal}
          market={market}
          needs={query.data.needs}
          onCandles={query.refetch}
        />
      )}
    </>
  )
}

const Drawn = ({ chart }: { chart: RuleChart }) => {
  const series = useMemo(() => seriesOf(chart), [chart])
  const markers = useMemo(() => marksOf(chart), [chart])
  const notes = useMemo(() => notesOf(chart), [chart])
  const name = marketName(chart.market)
  return (
    <>
      <Chart
        label={`Candles of ${name} with ${chart.lines.length} lines of the rule and ${chart.fires.length} places where it fires`}
        series={series}
        markers={markers}
        notes={notes}
        height={heightOf(chart)}
        fit={name}
      />
      {remarksOf(chart).map((text) => (
        <p key={text} class="explain">
          {text}
        </p>
      ))}
    </>
  )
}

const NoCandles = ({ chart }: { chart: RuleChart }) => (
  <Empty title={`No candles of ${marketName(chart.market)} are stored yet`}>
    <p class="narrow">
      The rule needs {needsText(chart.needs)}. The server fetches them once the signal is on and its exchange
      can be reached; below, past ones can be downloaded.
    </p>
  </Empty>
)

interface ChoiceProps {
  readonly names: ReadonlyArray<string>
  readonly value: string
  readonly onChoose: (name: string) => void
}

const MarketChoice = ({ names, onChoose, value }: ChoiceProps) => {
  const id = useId()
  return (
    <>
      <label for={id} class="hidden-words">
        Market
      </label>
      <select
        id={id}
        class="market-choice"
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  )
}
