// A market's price chart with the strategy's fills and price levels.
import { useId, useMemo, useRef, useState } from "preact/hooks"
import { call } from "../client.ts"
import { Chart } from "../parts/Chart.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty, Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import { type Board, marketOf } from "./board.ts"
import {
  barsOf,
  keyOf,
  linesOf,
  type Market,
  marketsOf,
  marksOf,
  notesOf,
  type Prices,
  sourceText
} from "./chart.ts"

const RANGES = [
  { key: "day", title: "1 day", words: "the last day", seconds: 86_400 },
  { key: "week", title: "1 week", words: "the last week", seconds: 7 * 86_400 },
  { key: "month", title: "30 days", words: "the last 30 days", seconds: 30 * 86_400 },
  { key: "all", title: "All", words: "all prices", seconds: Number.POSITIVE_INFINITY }
] as const
type Range = (typeof RANGES)[number]

const AGAIN_MS = 15_000

export const PricePanel = ({ board }: { board: Board }) => {
  const markets = marketsOf(board)
  const [chosen, setChosen] = useState("")
  const [range, setRange] = useState<Range>(RANGES[0])
  const market = markets.find((it) => keyOf(it) === chosen) ?? markets[0]
  if (market === undefined) return null
  return (
    <Panel
      title="Prices"
      actions={
        <>
          {markets.length > 1 ? (
            <MarketChoice markets={markets} market={market} onChoose={setChosen} />
          ) : null}
          <fieldset class="choices" aria-label="Prices shown">
            {RANGES.map((it) => (
              <button
                key={it.key}
                type="button"
                class="button small"
                aria-pressed={it.key === range.key}
                onClick={() => setRange(it)}
              >
                {it.title}
              </button>
            ))}
          </fieldset>
        </>
      }
    >
      <Shown key={keyOf(market)} board={board} market={market} range={range} />
    </Panel>
  )
}

const MarketChoice = ({
  markets,
  market,
  onChoose
}: {
  markets: ReadonlyArray<Market>
  market: Market
  onChoose: (key: string) => void
}) => {
  const id = useId()
  return (
    <>
      <label for={id} class="hidden-words">
        Market
      </label>
      <select
        id={id}
        class="market-choice"
        value={keyOf(market)}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {markets.map((it) => (
          <option key={keyOf(it)} value={keyOf(it)}>
            {marketOf(it)}
          </option>
        ))}
      </select>
    </>
  )
}

const Shown = ({ board, market, range }: { board: Board; market: Market; range: Range }) => {
  const { strategy_id: id } = board.strategy
  const { exchange, kind, pair } = market
  // In a replay the server's time is in the past: take the latest candle's time as now.
  const latest = useRef<number>()
  const ask = async (signal: AbortSignal): Promise<Prices> => {
    const fetchPrices = async (from: number | undefined): Promise<Prices> => {
      const urlParams = {
        exchange,
        pair,
        kind,
        ...(from === undefined ? {} : { from: String(Math.max(0, Math.floor(from))) })
      }
      const prices = await call("dashboard", "chart", { path: { id }, urlParams, signal })
      latest.current = Math.max(latest.current ?? 0, prices.candles.at(-1)?.[0] ?? 0) || undefined
      return prices
    }
    if (range.seconds === Number.POSITIVE_INFINITY) return fetchPrices(0)
    const first = latest.current === undefined ? await fetchPrices(undefined) : undefined
    return latest.current === undefined && first !== undefined
      ? first
      : fetchPrices((latest.current ?? 0) - range.seconds)
  }
  const query = useQuery(`chart ${id} ${keyOf(market)} ${range.key}`, ask, {
    on: ({ strategy_id, kind }) => strategy_id === id && DRAWN.some((it) => it === kind),
    everyMs: AGAIN_MS
  })
  const { positions, armed } = board
  const levels = useMemo(() => linesOf(board, market), [positions, armed, keyOf(market)])
  return (
    <Loaded query={query}>
      {(prices) =>
        prices.candles.length === 0 ? (
          <NoPrices />
        ) : (
          <Drawn
            prices={prices}
            levels={levels}
            label={`${marketOf(market)}, ${range.words}`}
            fit={range.key}
          />
        )
      }
    </Loaded>
  )
}

/** Events that change the chart. */
const DRAWN = [
  "opened",
  "averaged",
  "reduced",
  "turned",
  "order",
  "closed",
  "take_profit",
  "stop_loss"
] as const

const Drawn = ({
  prices,
  levels,
  label,
  fit
}: {
  prices: Prices
  levels: ReturnType<typeof linesOf>
  label: string
  fit: string
}) => {
  const series = useMemo(() => [{ kind: "candles", bars: barsOf(prices) }] as const, [prices])
  const markers = useMemo(() => marksOf(prices), [prices])
  const notes = useMemo(() => notesOf(prices), [prices])
  const words = `Prices of ${label}, with ${some(prices.markers.length, "fill")} and ${some(levels.length, "level")}`
  return (
    <>
      <Chart
        label={words}
        series={series}
        markers={markers}
        notes={notes}
        levels={levels}
        height={380}
        fit={fit}
      />
      <p class="explain">{sourceText(prices)}</p>
    </>
  )
}

const some = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const NoPrices = () => (
  <Empty title="No recorded prices of this market">
    <p class="narrow">
      The server records the markets that strategies watch as they trade, unless it was started with{" "}
      <code>--record off</code>. <code>signalbox candles download</code> fetches past prices.
    </p>
  </Empty>
)

export { Drawn as PriceChart }
