import { useEffect, useState } from "preact/hooks"
import { call } from "../client.ts"
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
import { PositionList } from "./PositionList.tsx"
import { PricePanel } from "./PricePanel.tsx"
import { Now, Results } from "./Results.tsx"
import { SettingsList } from "./SettingsList.tsx"
import { TimelineList } from "./TimelineList.tsx"
import { TradeTable } from "./TradeTable.tsx"

/** How often prices of open positions are asked for. */
const LIVELY_MS = 3_000
const TABS = [
  { key: "timeline", title: "Timeline" },
  { key: "trades", title: "Trades" },
  { key: "settings", title: "Settings" }
] as const

/** One strategy: how it did, what it holds, what it waits for, and why. */
export const Strategy = ({ rest, query: { tab } }: PageProps) => {
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
          {board.is_own ? <Own board={board} tab={tab} /> : <Foreign board={board} />}
        </>
      )}
    </Loaded>
  )
}

const Own = ({ board, tab }: { board: Board; tab: string | undefined }) => {
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
      <PositionList positions={board.positions} />
      <Armed armed={board.armed} />
      <PricePanel board={board} />
      <EquityPanel id={id} since={board.strategy.created_at} />
      <Results board={board} />
      <Tabs
        label="More of this strategy"
        tabs={TABS}
        shown={shown}
        onShow={(key) => setQuery({ tab: key === "timeline" ? undefined : key })}
      >
        {shown === "timeline" ? (
          <TimelineList id={id} />
        ) : shown === "trades" ? (
          <TradeTable id={id} currency={board.currency} />
        ) : (
          <SettingsList strategy={board.strategy} signal={board.signal} />
        )}
      </Tabs>
    </>
  )
}

/** Of somebody else's there are settings and performance. */
const Foreign = ({ board }: { board: Board }) => (
  <>
    <Results board={board} />
    <Panel title="Settings">
      <SettingsList strategy={board.strategy} signal={board.signal} />
    </Panel>
  </>
)
