// Positions and waiting entries of strategies as rows of a table and as JSON, read from the database.
import type { Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import { costLeft } from "../../domain/Position.ts"
import { moment } from "../program/table.ts"
import * as Shown from "../strategy/Shown.ts"

/** A slot of a strategy that holds a position or waits to enter. */
export interface Row {
  readonly shown: Shown.Shown
  readonly slot: Slot
}

export const of = (shown: Shown.Shown): ReadonlyArray<Row> =>
  Object.values(shown.state?.slots ?? {}).map((slot) => ({ shown, slot }))

/** What the slot is in: a position, or an entry that waits or is at the exchange. */
const stateOf = ({ order, position, stopEnding }: Slot): string =>
  position === undefined ? "entry" : order !== undefined || stopEnding === true ? "open, ordering" : "open"

const sideOf = ({ order, position, trailingBuy, turn }: Slot) =>
  position?.side ?? trailingBuy?.side ?? turn?.side ?? order?.position ?? null

/** The JSON of a row. Times in seconds; null where there is none. */
export const viewOf = ({ shown: { state, strategy }, slot }: Row) => {
  const { position } = slot
  return {
    strategy_id: strategy.id,
    mode: Shown.modeOf(state),
    exchange: slot.exchange,
    pair: slot.pair,
    kind: slot.kind,
    state: stateOf(slot),
    side: sideOf(slot),
    quantity: position === undefined ? 0 : Decimal.toNumber(position.quantity),
    average: position === undefined ? null : averageOf(position),
    cost: position === undefined ? null : Decimal.toNumber(costLeft(position)),
    tp: (position ?? slot.trailingBuy ?? slot.turn)?.tp ?? null,
    sl: (position ?? slot.trailingBuy ?? slot.turn)?.sl ?? null,
    opened_at: position === undefined ? null : Math.floor(position.openedAt / 1000)
  }
}

export const HEAD = [
  ...["strategy", "mode", "market", "state", "side"],
  ...["quantity", "average", "cost", "tp", "sl", "opened"]
]

export const cellsOf = (row: Row): ReadonlyArray<string> => {
  const view = viewOf(row)
  return [
    String(view.strategy_id),
    view.mode,
    `${view.exchange} ${view.pair} ${view.kind}`,
    view.state,
    view.side ?? "",
    String(view.quantity),
    textOf(view.average),
    textOf(view.cost),
    textOf(view.tp),
    textOf(view.sl),
    view.opened_at === null ? "" : moment(view.opened_at)
  ]
}

const averageOf = ({ basis, quantity }: NonNullable<Slot["position"]>): number =>
  Number(Decimal.toNumber(Decimal.divide(basis, quantity)).toPrecision(10))

const textOf = (value: number | null): string => (value === null ? "" : String(value))
