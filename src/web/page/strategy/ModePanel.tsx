import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { lazy } from "../parts/lazy.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import type { Board } from "./board.ts"

/** Most strategies stay on paper: what real money needs is fetched where it is wanted. */
const Arm = lazy(async () => (await import("./arming/Arm.tsx")).Arm)
const Live = lazy(async () => (await import("./arming/Live.tsx")).Live)

/** The loss of the day moves with prices. */
const EVERY_MS = 5_000

interface Props {
  readonly board: Board
  readonly refetch: () => void
}

/** Whether it trades with real money, how that begins and how it ends. */
export const ModePanel = ({ board, refetch }: Props) =>
  board.trading.mode === "paper" ? (
    <Paper board={board} refetch={refetch} />
  ) : (
    <Money board={board} refetch={refetch} />
  )

const Paper = ({ board, refetch }: Props) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title="Trading mode" actions={<Badge>on paper</Badge>}>
      <p>It trades on paper: real prices, fills that are worked out from them, and no order anywhere.</p>
      {isOpen ? (
        <Arm board={board} onArmed={refetch} onClose={() => setOpen(false)} />
      ) : (
        <div class="actions">
          <button type="button" class="button" onClick={() => setOpen(true)}>
            Trade with real money…
          </button>
        </div>
      )}
    </Panel>
  )
}

const Money = ({ board, refetch }: Props) => {
  const { strategy_id: id } = board.strategy
  const query = useQuery(`mode ${id}`, (signal) => call("live", "mode", { path: { id }, signal }), {
    on: ({ strategy_id }) => strategy_id === id,
    everyMs: EVERY_MS
  })
  const changed = () => {
    query.refetch()
    refetch()
  }
  return (
    <Panel title="Trading mode">
      <Loaded query={query}>{(mode) => <Live board={board} mode={mode} onChanged={changed} />}</Loaded>
    </Panel>
  )
}
