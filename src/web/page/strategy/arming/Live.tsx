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

/** On what terms a strategy trades with real money, how the day goes, and how it ends. */
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
          It is disarmed and enters nothing more.{" "}
          {isFlat ? "Orders are still under way" : "What is open is managed to its end"}; then it is on paper
          again.
        </Notice>
      ) : null}
      {armed.stopped_today ? (
        <Notice tone="warn">
          Today has lost all that it may. It enters nothing until midnight UTC, also once you resume; its
          exits go on.
        </Notice>
      ) : null}
      {astray.length === 0 ? null : <Astray markets={astray} onForget={() => setHow("forget")} />}
      <Terms armed={armed} currency={board.currency} />
      <DayLoss armed={armed} currency={board.currency} />
      <div class="actions">
        {isLeaving ? null : (
          <button type="button" class="button" onClick={() => setHow(isFlat ? "flat" : "manage")}>
            {isFlat ? "Disarm" : "Disarm: manage to the end"}
          </button>
        )}
        {isFlat ? null : (
          <button type="button" class="button quiet-danger" onClick={() => setHow("close")}>
            {isLeaving ? "Sell now" : "Disarm and sell now"}
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
      note={armed.protective_stop ? "rests there as an order" : "works while this server runs"}
    >
      {armed.protective_stop ? "at the exchange too" : "watched here"}
    </Figure>
  </Figures>
)

const Astray = ({ markets, onForget }: { markets: ReadonlyArray<string>; onForget: () => void }) => (
  <div class="notice bad astray" role="alert">
    <p>
      <span class="strong">The exchange holds less than the books on {markets.join(", ")}.</span> Somebody may
      have sold or moved it there. Nothing is done on {markets.length === 1 ? "that market" : "those markets"}{" "}
      any more, no exit either, and nothing is bought to make up for it.
    </p>
    <ul class="bullets">
      <li>Once the exchange holds as much again, the strategy goes on by itself.</li>
      <li>If it is gone for good, write it off: it is taken out of the books without an order.</li>
    </ul>
    <div class="actions">
      <button type="button" class="button" onClick={onForget}>
        Write off
      </button>
    </div>
  </div>
)
