// A strategy's page: figures, positions, chart, timeline, trades, orders and settings. Another account's public
// strategy shows figures and settings only.
import { useEffect, useState } from "preact/hooks"
import { call } from "../client.ts"
import { lazy } from "../parts/lazy.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { Tabs } from "../parts/Tabs.tsx"
import { Notice } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { setQuery } from "../router.ts"
import type { PageProps } from "../routes.ts"
import { Armed } from "./Armed.tsx"
import type { Board } from "./board.ts"
import { EquityPanel } from "./EquityPanel.tsx"
import { Header } from "./Header.tsx"
import { ModePanel } from "./ModePanel.tsx"
import { Origin } from "./Origin.tsx"
import { PositionList } from "./PositionList.tsx"
import { PricePanel } from "./PricePanel.tsx"
import { Now, Results } from "./Results.tsx"
import { SettingsList } from "./SettingsList.tsx"
import { TimelineList } from "./TimelineList.tsx"
import { TradeTable } from "./TradeTable.tsx"

/** Loaded with the first look at the tab. */
const OrderTable = lazy(async () => (await import("./OrderTable.tsx")).OrderTable)
const Comparison = lazy(async () => (await import("./compare/Comparison.tsx")).Comparison)

const WhatIf = lazy(async () => (await import("./whatIf/WhatIf.tsx")).WhatIf)

/** How often prices of open positions are refreshed. */
const LIVELY_MS = 3_000
const TABS = [
  { key: "timeline", title: "Timeline" },
  { key: "trades", title: "Trades" },
  { key: "orders", title: "Orders" },
  { key: "compare", title: "Live against test" },
  { key: "what-if", title: "What if" },
  { key: "settings", title: "Settings" }
] as const

export const Strategy = ({ rest, query: place }: PageProps) => {
  const id = Number(rest[0])
  const [isLively, setLively] = useState(false)
  const query = useQuery(
    `strategy ${id}`,
    (signal) => call("dashboard", "strategy", { path: { id }, signal }),
    {
      on: ({ strategy_id }) => strategy_id === id,
      ...(isLively ? { everyMs: LIVELY_MS } : {})
    }
  )
  const { data } = query
  useEffect(
    () => setLively(data !== undefined && (data.positions.length > 0 || data.armed.length > 0)),
    [data]
  )
  return (
    <Loaded query={query}>
      {(board) => (
        <>
          <Header board={board} refetch={query.refetch} />
          {board.is_own ? (
            <Own board={board} place={place} refetch={query.refetch} />
          ) : (
            <Foreign board={board} />
          )}
        </>
      )}
    </Loaded>
  )
}

interface OwnProps {
  readonly board: Board
  /** The page's query: the tab, and what is chosen in it. */
  readonly place: PageProps["query"]
  readonly refetch: () => void
}

const Own = ({ board, place, refetch }: OwnProps) => {
  const { tab } = place
  const { strategy_id: id } = board.strategy
  const shown = TABS.find(({ key }) => key === tab)?.key ?? "timeline"
  return (
    <>
      {board.warnings.map(({ code, text }) => (
        <Notice key={code} tone="warn">
          {`${text.charAt(0).toUpperCase()}${text.slice(1)}.`}
        </Notice>
      ))}
      <Now board={board} />
      <Origin board={board} refetch={refetch} />
      <ModePanel board={board} refetch={refetch} />
      <PositionList positions={board.positions} refetch={refetch} />
      <Armed id={id} armed={board.armed} refetch={refetch} />
      <PricePanel board={board} />
      <EquityPanel id={id} period={board.period} />
      <Results board={board} />
      <Tabs
        label="More of this strategy"
        tabs={TABS}
        shown={shown}
        onShow={(key) =>
          setQuery({
            tab: key === "timeline" ? undefined : key,
            order: undefined,
            alert: undefined,
            at: undefined
          })
        }
      >
        {shown === "timeline" ? (
          <TimelineList id={id} query={place} />
        ) : shown === "trades" ? (
          <TradeTable id={id} currency={board.currency} period={board.period} />
        ) : shown === "orders" ? (
          <OrderTable id={id} place={place} />
        ) : shown === "compare" ? (
          <Comparison key={id} id={id} />
        ) : shown === "what-if" ? (
          <WhatIf key={`${id} ${board.strategy.updated_at}`} board={board} />
        ) : (
          <SettingsList strategy={board.strategy} signal={board.signal} />
        )}
      </Tabs>
    </>
  )
}

/** Another account's strategy shows only performance and settings. */
const Foreign = ({ board }: { board: Board }) => (
  <>
    <Results board={board} />
    <Panel title="Settings">
      <SettingsList strategy={board.strategy} signal={board.signal} />
    </Panel>
  </>
)
