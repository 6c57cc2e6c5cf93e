// Checks the books as an auditor would: reads the rows from disk and recomputes every sum from the fills.
import { Schema } from "effect"
import { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Fill } from "../../src/domain/Fill.ts"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import { Order, type OrderStatus, type PositionSide } from "../../src/domain/Order.ts"
import type { Partition } from "../../src/domain/Partition.ts"
import type { Position } from "../../src/domain/Position.ts"
import { Settings } from "../../src/domain/Strategy.ts"
import { Trade } from "../../src/domain/Trade.ts"
import { hashOf, rootOf } from "../../src/sql/rows/LedgerChain.ts"
import * as Performance from "../../src/trading/Performance.ts"
import type { Disk } from "./Disk.ts"

const reading = <A, I>(schema: Schema.Schema<A, I>) => Schema.decodeUnknownSync(Schema.parseJson(schema))
const readState = reading(BotState)
const readTally = reading(Performance.Tally)
const readTrade = reading(Trade)
const readFill = reading(Fill)
const readOrder = reading(Order)
const readSettings = reading(Settings)

export interface BotRow {
  readonly strategy: number
  readonly state: BotState
  readonly tally: Performance.Tally
}

export interface OrderRow {
  readonly strategy: number
  readonly order: Order
  readonly status: OrderStatus
}

/** The stored books. */
export class Books {
  readonly #disk: Disk

  constructor(disk: Disk) {
    this.#disk = disk
  }

  bot(strategy: number): BotRow | undefined {
    return this.bots("WHERE strategy_id = ?", strategy)[0]
  }

  bots(where = "", ...values: ReadonlyArray<number>): ReadonlyArray<BotRow> {
    return this.#disk
      .rows<{ strategy: number; state: string; tally: string }>(
        `SELECT strategy_id AS strategy, state, tally FROM bots ${where}`,
        ...values
      )
      .map(({ state, strategy, tally }) => ({ strategy, state: readState(state), tally: readTally(tally) }))
  }

  order(id: string): OrderRow | undefined {
    return this.orders("WHERE id = ?", id)[0]
  }

  orders(where = "", ...values: ReadonlyArray<string>): ReadonlyArray<OrderRow> {
    return this.#disk
      .rows<{ strategy: number; intent: string; status: OrderStatus }>(
        `SELECT strategy_id AS strategy, intent, status FROM orders ${where}`,
        ...values
      )
      .map(({ intent, status, strategy }) => ({ strategy, order: readOrder(intent), status }))
  }

  /** The settings of all strategies, by id. */
  settings(where = "", ...values: ReadonlyArray<number>): ReadonlyMap<number, Settings> {
    const rows = this.#disk.rows<{ id: number; settings: string }>(
      `SELECT id, settings FROM strategies ${where}`,
      ...values
    )
    return new Map(rows.map(({ id, settings }) => [id, readSettings(settings)]))
  }

  fills(): ReadonlyArray<{ readonly strategy: number; readonly fill: Fill }> {
    return this.#disk
      .rows<{ strategy: number; fill: string }>("SELECT strategy_id AS strategy, fill FROM fills ORDER BY id")
      .map(({ fill, strategy }) => ({ strategy, fill: readFill(fill) }))
  }

  transitions(): ReadonlyArray<{ readonly id: string; readonly before: string; readonly after: string }> {
    return this.#disk.rows("SELECT id, before, after FROM sim_transitions")
  }

  count(sql: string, ...values: ReadonlyArray<string | number>): number {
    return (
      this.#disk.rows<{ count: number }>(`SELECT count(*) AS count FROM ${sql}`, ...values)[0]?.count ?? 0
    )
  }

  /** Violations in the ledger: unbalanced postings, altered rows, cash that differs from the bots'. */
  *ledgerFlaws(): Generator<string> {
    const cash = new Map<number, Decimal.Decimal>()
    const chains = new Map<Partition, { readonly place: number; readonly hash: Uint8Array }>()
    let id = 0
    const rows = this.#disk.rows<{
      id: number
      partition: Partition
      place: number
      strategy: number
      posting: string
      hash: Uint8Array
    }>("SELECT id, partition, place, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id")
    for (const { hash, partition, place, ...row } of rows) {
      id++
      const before = chains.get(partition) ?? { place: 0, hash: rootOf(new Uint8Array(32), partition) }
      const sound = hashOf(before.hash, before.place + 1, row.strategy, row.posting)
      if (row.id !== id || place !== before.place + 1 || Buffer.compare(sound, hash) !== 0)
        return yield `row ${row.id} breaks the chain`
      chains.set(partition, { place, hash })
      const { lines } = readPosting(row.posting)
      if (!Decimal.isZero(Decimal.sum(lines.map(({ amount }) => amount))))
        yield `row ${row.id} does not balance`
      for (const { account, amount } of lines)
        if (account === "cash")
          cash.set(row.strategy, Decimal.add(cash.get(row.strategy) ?? Decimal.zero, amount))
    }
    for (const { state, strategy } of this.bots()) {
      if (!Decimal.equals(cash.get(strategy) ?? Decimal.zero, state.cash))
        yield `bot ${strategy} has ${Decimal.toText(state.cash)}, its ledger ${Decimal.toText(cash.get(strategy) ?? Decimal.zero)}`
    }
  }

  /** Bots whose positions or cash differ from their fills. */
  *positionFlaws(): Generator<string> {
    const orders = new Map(this.orders().map(({ order }) => [order.id, order]))
    const fills = Map.groupBy(this.fills(), ({ strategy }) => strategy)
    const ended = Map.groupBy(this.trades(), ({ strategy }) => strategy)
    for (const { state, strategy } of this.bots()) {
      const over = Map.groupBy(ended.get(strategy) ?? [], ({ trade }) => beganAs(trade, trade.openedAt))
      const folded = new Map<string, Folded>()
      for (const { fill } of fills.get(strategy) ?? []) {
        const order = orders.get(fill.order)
        if (order === undefined) yield `a fill of ${strategy} belongs to no order: ${fill.order}`
        else {
          const isOver = ({ nth, openedAt }: Folded) =>
            (over.get(beganAs(fill, openedAt)) ?? []).filter(({ trade }) => trade.closedAt <= fill.at)
              .length >= nth
          fold(folded, order, fill, isOver)
        }
      }
      const keys = new Set([...folded.keys(), ...Object.keys(state.slots)])
      for (const key of keys) {
        const flaw = positionFlaw(state.slots[key]?.position, folded.get(key))
        if (flaw !== undefined) yield `bot ${strategy}, ${key}: ${flaw}`
      }
    }
  }

  /** Completed trades, the oldest first. */
  trades(): ReadonlyArray<{ readonly strategy: number; readonly trade: Trade }> {
    return this.#disk
      .rows<{ strategy: number; trade: string }>(
        "SELECT strategy_id AS strategy, trade FROM trades ORDER BY id"
      )
      .map(({ strategy, trade }) => ({ strategy, trade: readTrade(trade) }))
  }

  /** Stored figures that differ from the trades. */
  *performanceFlaws(now: number): Generator<string> {
    const trades = Map.groupBy(this.trades(), ({ strategy }) => strategy)
    for (const { state, strategy, tally } of this.bots()) {
      const own = (trades.get(strategy) ?? [])
        .map(({ trade }) => trade)
        .filter(({ period = 1 }) => period === (state.period ?? 1))
      const anew = Performance.summary(Performance.recompute(tally.starting, tally.createdAt, own), now)
      const kept = Performance.summary(tally, now)
      if (!Bun.deepEquals(kept, anew))
        yield `strategy ${strategy} reports ${JSON.stringify(kept)}, its trades make ${JSON.stringify(anew)}`
    }
  }
}

const readPosting = reading(
  Schema.Struct({ lines: Schema.Array(Schema.Struct({ account: Schema.String, amount: Decimal.Text })) })
)

/** A position computed from fills. */
interface Folded {
  readonly side: PositionSide
  readonly openedAt: number
  /** Which one of those of its market that began at this time. */
  readonly nth: number
  readonly lastEntryAt: number
  readonly quantity: Decimal.Decimal
  /** The entry notional of what is left: an exit takes its share. */
  readonly basis: number
  readonly price: number
}

const worthOf = ({ price, quantity }: Folded): number => Decimal.toNumber(quantity) * price

/** A market's positions that began at a time. */
const beganAs = (market: MarketId, at: number): string => `${marketKey(market)} ${at}`

/** Takes a fill in; `isOver` says whether a position has become a trade. */
const fold = (
  folded: Map<string, Folded>,
  order: Order,
  fill: Fill,
  isOver: (held: Folded) => boolean
): void => {
  const key = marketKey(fill)
  const held = folded.get(key)
  const { at, price, quantity } = fill
  const notional = Decimal.toNumber(fill.notional)
  if (order.purpose === "exit") {
    if (held === undefined) return
    const left = Decimal.subtract(held.quantity, quantity)
    const basis = (held.basis * Decimal.toNumber(left)) / Decimal.toNumber(held.quantity)
    folded.set(key, { ...held, price, basis, quantity: left })
  } else if (held === undefined || (order.purpose === "entry" && worthOf(held) <= DUST && isOver(held))) {
    const nth = held?.openedAt === at ? held.nth + 1 : 1
    folded.set(key, {
      side: order.position,
      nth,
      openedAt: at,
      lastEntryAt: at,
      basis: notional,
      price,
      quantity
    })
  } else {
    const basis = held.basis + notional
    folded.set(key, {
      ...held,
      lastEntryAt: at,
      basis,
      price,
      quantity: Decimal.add(held.quantity, quantity)
    })
  }
}

/** A rest below the market's minimum (100 USDT for perpetuals) is dust, which the bot gives up. */
const DUST = 105

const positionFlaw = (position: Position | undefined, folded: Folded | undefined): string | undefined => {
  const worth = folded === undefined ? 0 : worthOf(folded)
  if (position === undefined)
    return Math.abs(worth) <= DUST ? undefined : `no position, its fills make one of ${worth}`
  if (folded === undefined) return "a position without fills"
  if (position.side !== folded.side) return `is ${position.side}, its fills make a ${folded.side}`
  if (!Decimal.equals(position.quantity, Decimal.subtract(position.entryQuantity, position.exitQuantity)))
    return "what it holds is not what was entered less what was sold"
  if (!Decimal.equals(position.quantity, folded.quantity))
    return `holds ${Decimal.toText(position.quantity)}, its fills make ${Decimal.toText(folded.quantity)}`
  if (Math.abs(Decimal.toNumber(position.basis) - folded.basis) > 1e-6 * folded.basis)
    return `cost ${Decimal.toText(position.basis)}, its fills say ${folded.basis}`
  if (position.openedAt !== folded.openedAt) return "its first entry was at another time"
  return position.lastEntryAt === folded.lastEntryAt ? undefined : "its last entry was at another time"
}
