// The panel of a strategy's mode: on paper, or with real money and its terms; and the way to arm and disarm it.
import { useState } from "preact/hooks"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { lazy } from "../parts/lazy.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Loaded } from "../parts/States.tsx"
import { useQuery } from "../query.ts"
import type { Board } from "./board.ts"

/** Loaded only when needed: most strategies stay on paper. */
const Arm = lazy(async () => (await import("./arming/Arm.tsx")).Arm)
const Live = lazy(async () => (await import("./arming/Live.tsx")).Live)

/** Refreshes the day's loss, which moves with prices. */
const EVERY_MS = 5_000

interface Props {
  readonly board: Board
  readonly refetch: () => void
}

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
      <p>It trades on paper: at real prices, with simulated fills and no orders at any exchange.</p>
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
