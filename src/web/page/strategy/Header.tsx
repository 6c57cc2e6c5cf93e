// The head of a strategy's page: name, signal, state and actions.
import { useState } from "preact/hooks"
import { useAccounts } from "../accounts.ts"
import { call } from "../client.ts"
import { Badge } from "../parts/Badge.tsx"
import { Confirm } from "../parts/Dialog.tsx"
import { PageHead } from "../parts/PageHead.tsx"
import { toast } from "../parts/Toast.tsx"
import { TradingBadges } from "../parts/TradingBadges.tsx"
import { Time } from "../parts/Value.tsx"
import { go } from "../router.ts"
import { href } from "../routes.ts"
import { ActiveSwitch } from "../strategies/ActiveSwitch.tsx"
import { IdleBadges } from "../strategies/IdleBadges.tsx"
import type { Board } from "./board.ts"

export const Header = ({ board, refetch }: { board: Board; refetch: () => void }) => {
  const { strategy, is_own } = board
  const [asks, setAsks] = useState(false)
  const accounts = useAccounts(board.trading.mode !== "paper")
  return (
    <>
      <PageHead title={strategy.name} lead={strategy.description === "" ? undefined : strategy.description}>
        {is_own ? (
          <>
            <ActiveSwitch
              id={strategy.strategy_id}
              active={strategy.active}
              label="Active"
              text="Active"
              onChanged={refetch}
            />
            <a class="button" href={href("strategies", [strategy.strategy_id, "edit"])}>
              Edit
            </a>
            <a class="button" href={href("strategies", ["new"], { copy: strategy.strategy_id })}>
              Copy
            </a>
            <a class="button" href={href("backtest", [], { strategy: strategy.strategy_id })}>
              Back-test
            </a>
            <button type="button" class="button quiet-danger" onClick={() => setAsks(true)}>
              Delete
            </button>
          </>
        ) : (
          <>
            <Badge tone="accent">Public strategy of another account</Badge>
            <a class="button" href={href("discover", ["strategies", strategy.strategy_id])}>
              Record and copy
            </a>
          </>
        )}
      </PageHead>
      <p class="lead about-strategy">
        <TradingBadges of={board.trading} accounts={accounts.data?.data} />
        <Badge tone={strategy.active ? "good" : "plain"}>{strategy.active ? "active" : "inactive"}</Badge>
        {strategy.public ? <Badge>public</Badge> : null}
        {is_own ? <IdleBadges id={strategy.strategy_id} of={factsOf(board)} /> : null}
        <span>{followed(board)}</span>
        <span>
          Created <Time at={strategy.created_at} relative />, changed{" "}
          <Time at={strategy.updated_at} relative />
        </span>
        {board.cooling_until === null ? null : (
          <Badge tone="warn">
            cooling down until <Time at={board.cooling_until} />
          </Badge>
        )}
      </p>
      {asks ? <Deletion board={board} onClose={() => setAsks(false)} /> : null}
    </>
  )
}

const factsOf = ({ currency, equity, positions, strategy }: Board) => ({
  signal_id: strategy.signal_id,
  pairs_total: strategy.exchanges.reduce((sum, { coin_pairs }) => sum + coin_pairs.length, 0),
  pairs: strategy.exchanges.flatMap(({ coin_pairs }) => coin_pairs),
  currency,
  equity,
  open_positions: positions.length
})

const followed = ({ signal, strategy, is_own }: Board) => {
  if (strategy.signal_id === null) return "Follows no signal: no entries"
  const name = signal === null ? `signal ${strategy.signal_id}` : signal.name
  return (
    <>
      Follows {is_own ? <a href={href("signals", [strategy.signal_id])}>{name}</a> : name}
      {signal?.active === false ? ", which is inactive" : ""}
    </>
  )
}

const Deletion = ({ board, onClose }: { board: Board; onClose: () => void }) => {
  const { name, strategy_id: id } = board.strategy
  const count = board.positions.length
  return (
    <Confirm
      title={`Delete ${name}?`}
      action={count === 0 ? "Delete strategy" : "Close positions and delete"}
      onClose={onClose}
      onConfirm={async () => {
        await call("strategies", "remove", { path: { id } })
        toast(`${name} was deleted.`)
        go(href("strategies"))
      }}
    >
      <p>
        {count === 0
          ? "It holds no positions."
          : `Its ${count === 1 ? "open position is" : `${count} open positions are`} closed at the last price.`}{" "}
        This cannot be undone.
      </p>
      <p>To stop it from buying and keep its history in view, switch it off instead.</p>
    </Confirm>
  )
}
