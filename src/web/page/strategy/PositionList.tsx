// A strategy's open positions, with the price levels of their rules.

import { HandButtons } from "../byHand/HandButtons.tsx"
import { Badge } from "../parts/Badge.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { Empty } from "../parts/States.tsx"
import { type Column, Table } from "../parts/Table.tsx"
import { Amount, Money, Percent, Price, Time } from "../parts/Value.tsx"
import { levelName, levelTone, type Position } from "./board.ts"
import { MarketCell } from "./MarketCell.tsx"

interface Props {
  readonly positions: ReadonlyArray<Position>
  readonly refetch: () => void
}

export const PositionList = ({ positions, refetch }: Props) => (
  <Panel title="Open positions">
    <Table
      label="Open positions"
      columns={[...COLUMNS, byHand(refetch)]}
      rows={positions}
      id={({ exchange, kind, pair }) => `${exchange} ${pair} ${kind}`}
      below={(position) => <Levels position={position} />}
      empty={<Empty title="Nothing is open now" />}
    />
  </Panel>
)

const currencyOf = ({ pair }: Position): string => pair.split("/")[1] ?? ""

const COLUMNS: ReadonlyArray<Column<Position>> = [
  {
    key: "market",
    title: "Market",
    cell: (position) => (
      <MarketCell {...position}>
        {" "}
        {position.is_ordering ? <Badge tone="warn">order in flight</Badge> : null}{" "}
        {position.is_astray ? <Badge tone="bad">not at exchange</Badge> : null}
      </MarketCell>
    )
  },
  {
    key: "quantity",
    title: "Quantity",
    align: "right",
    cell: (position) => (
      <>
        <Amount value={position.quantity} />
        {position.exits === 0 ? null : (
          <span class="under">
            of <Amount value={position.entered} />,{" "}
            {position.exits === 1 ? "1 exit" : `${position.exits} exits`}
          </span>
        )}
      </>
    )
  },
  {
    key: "average",
    title: "Average",
    align: "right",
    cell: ({ average, entries }) => (
      <>
        <Price value={average} />
        <span class="under">{entries === 1 ? "1 entry" : `${entries} entries`}</span>
      </>
    )
  },
  { key: "price", title: "Price", align: "right", cell: ({ price }) => <Price value={price} /> },
  {
    key: "value",
    title: "Value",
    align: "right",
    cell: (position) => (
      <>
        <Money value={position.value} currency={currencyOf(position)} />
        <span class="under">
          cost <Money value={position.cost} />
        </span>
      </>
    )
  },
  {
    key: "pnl",
    title: "P&L now",
    align: "right",
    cell: (position) => (
      <>
        <Money value={position.pnl} currency={currencyOf(position)} sign />
        <span class="under">
          <Percent value={position.profit_pct} sign />
        </span>
      </>
    )
  },
  {
    key: "opened",
    title: "Opened",
    align: "right",
    cell: ({ opened_at }) => <Time at={opened_at} relative />
  }
]

const byHand = (refetch: () => void): Column<Position> => ({
  key: "hand",
  title: "By hand",
  cell: ({ exchange, kind, levels, pair, strategy_id }) => (
    <HandButtons market={{ strategy_id, exchange, pair, kind }} levels={levels} onDone={refetch} />
  )
})

/** The levels of a position and their distance from the price, highest first. */
const Levels = ({ position }: { position: Position }) => {
  const { break_even, closes_at, levels, price, stop } = position
  const waits = break_even !== null && !break_even.is_armed ? break_even : null
  const away = (level: number) => (price === null || price === 0 ? undefined : (level / price - 1) * 100)
  const sorted = [...levels].sort((a, b) => b.price - a.price)
  if (sorted.length === 0 && closes_at === null && stop === null && waits === null) return null
  return (
    <ul class="levels" aria-label={`What ${position.pair} waits for`}>
      {sorted.map((level) => (
        <li key={`${level.rule} ${level.step?.number ?? 0}`} class={`level ${levelTone(level.rule)}`}>
          <span>{levelName(level)}</span> <Price value={level.price} />{" "}
          <span class="quiet">
            <Percent value={away(level.price)} />
            {level.step === null ? null : level.step.closes_all ? (
              ", closes the rest"
            ) : (
              <>
                , closes <Amount value={level.step.quantity} />
              </>
            )}
            {level.from === null ? null : (
              <>
                , from <Time at={level.from} />
              </>
            )}
          </span>
        </li>
      ))}
      {waits === null ? null : (
        <li class="level">
          <span>Break even</span> <Price value={waits.price} />{" "}
          <span class="quiet">
            {waits.done >= waits.after
              ? "once the price is beyond it"
              : `after ${waits.after === 1 ? "1 step" : `${waits.after} steps`}, ${waits.done} done`}
          </span>
        </li>
      )}
      {stop === null ? null : (
        <li class="level bad">
          <span>Stop at the exchange</span> <Price value={stop.price} />{" "}
          <span class="quiet">
            for <Amount value={stop.quantity} />
            {stop.is_ending ? ", being cancelled" : ""}
          </span>
        </li>
      )}
      {closes_at === null ? null : (
        <li class="level">
          <span>Auto close</span> <Time at={closes_at} relative />
        </li>
      )}
    </ul>
  )
}
