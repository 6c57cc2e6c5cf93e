// The panel of a strategy that trades with real money: terms, today's loss, problems, and the ways to end it.
import { useState } from "preact/hooks"
import { Badge } from "../../parts/Badge.tsx"
import { Figure, Figures } from "../../parts/PageHead.tsx"
import { Notice } from "../../parts/Toast.tsx"
import { Money, Time } from "../../parts/Value.tsx"
import { href } from "../../routes.ts"
import type { Board } from "../board.ts"
import { DayLoss } from "./DayLoss.tsx"
import { Disarm, type How } from "./Disarm.tsx"
import type { Armed, Mode } from "./mode.ts"

interface Props {
  readonly board: Board
  readonly mode: Mode
  readonly onChanged: () => void
}

export const Live = ({ board, mode, onChanged }: Props) => {
  const [how, setHow] = useState<How>()
  const { armed, astray } = mode
  if (armed === null) return null
  const isFlat = board.positions.length === 0
  const isLeaving = mode.mode === "leaving"
  return (
    <>
      {isLeaving ? (
        <Notice tone="warn">
          It is being disarmed and makes no more entries.{" "}
          {isFlat ? "Orders are still in flight" : "Open positions are managed to their end"}; then it is on
          paper again.
        </Notice>
      ) : null}
      {armed.stopped_today ? (
        <Notice tone="warn">
          The daily loss limit is reached. It makes no entries until midnight UTC, even if you resume; its
          exits go on.
        </Notice>
      ) : null}
      {astray.length === 0 ? null : <Astray markets={astray} onForget={() => setHow("forget")} />}
      <Terms armed={armed} currency={board.currency} />
      <DayLoss armed={armed} currency={board.currency} />
      <div class="actions">
        {isLeaving ? null : (
          <button type="button" class="button" onClick={() => setHow(isFlat ? "flat" : "manage")}>
            {isFlat ? "Disarm" : "Disarm, keep own exits"}
          </button>
        )}
        {isFlat ? null : (
          <button type="button" class="button quiet-danger" onClick={() => setHow("close")}>
            {isLeaving ? "Close now" : "Disarm and close now"}
          </button>
        )}
      </div>
      {how === undefined ? null : (
        <Disarm
          name={board.strategy.name}
          id={board.strategy.strategy_id}
          isLeaving={isLeaving}
          astray={astray}
          how={how}
          onDone={onChanged}
          onClose={() => setHow(undefined)}
        />
      )}
    </>
  )
}

const Terms = ({ armed, currency }: { armed: Armed; currency: string }) => (
  <Figures>
    <Figure
      label="Exchange account"
      note={
        <>
          {armed.exchange ?? "removed"} {armed.sandbox ? <Badge tone="sandbox">SANDBOX</Badge> : null}
        </>
      }
    >
      <a href={href("settings", ["accounts"])}>{armed.account_name ?? `account ${armed.account}`}</a>
    </Figure>
    <Figure
      label="Capital"
      note={
        <>
          armed <Time at={armed.armed_at} relative />
        </>
      }
    >
      <Money value={armed.capital} currency={currency} />
    </Figure>
    <Figure label="Largest order" note="of an entry, fee included">
      <Money value={armed.max_order} currency={currency} />
    </Figure>
    <Figure
      label="Stop loss"
      note={armed.protective_stop ? "as an order there" : "works while this server runs"}
    >
      {armed.protective_stop ? "at the exchange too" : "watched here"}
    </Figure>
  </Figures>
)

const Astray = ({ markets, onForget }: { markets: ReadonlyArray<string>; onForget: () => void }) => (
  <div class="notice bad astray" role="alert">
    <p>
      <span class="strong">The exchange holds less than the books on {markets.join(", ")}.</span> Somebody may
      have sold or moved it there. The bot does nothing on{" "}
      {markets.length === 1 ? "that market" : "those markets"} any more, not even exits.
    </p>
    <ul class="bullets">
      <li>Once the exchange holds as much again, the strategy continues by itself.</li>
      <li>If it is gone for good, write it off: it is removed from the books without an order.</li>
    </ul>
    <div class="actions">
      <button type="button" class="button" onClick={onForget}>
        Write off
      </button>
    </div>
  </div>
)
