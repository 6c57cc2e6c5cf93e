// What must hold of a database whatever happened to its server, checked from the rows alone.
import * as Schema from "effect/Schema"
import { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { Fill } from "../../src/domain/Fill.ts"
import { marketKey } from "../../src/domain/Market.ts"
import { Order, OrderStatus } from "../../src/domain/Order.ts"
import { Partition } from "../../src/domain/Partition.ts"
import { Trade } from "../../src/domain/Trade.ts"
import { hashOf, rootOf } from "../../src/sql/rows/LedgerChain.ts"
import * as Performance from "../../src/trading/Performance.ts"
import type { Rows } from "./Rows.ts"

const Bot = Schema.Struct({
  strategy: Schema.Int,
  state: Schema.parseJson(BotState),
  tally: Schema.parseJson(Performance.Tally)
})
const OrderRow = Schema.Struct({ strategy: Schema.Int, intent: Schema.parseJson(Order), status: OrderStatus })
const FillRow = Schema.Struct({ strategy: Schema.Int, fill: Schema.parseJson(Fill) })
const TradeRow = Schema.Struct({ strategy: Schema.Int, trade: Schema.parseJson(Trade) })
const LedgerRow = Schema.Struct({
  id: Schema.Int,
  partition: Partition,
  place: Schema.Int,
  strategy: Schema.Int,
  posting: Schema.String,
  hash: Schema.Uint8ArrayFromSelf
})
const Posting = Schema.parseJson(
  Schema.Struct({
    order: Schema.optional(Schema.String),
    lines: Schema.Array(Schema.Struct({ account: Schema.String, amount: Decimal.Text }))
  })
)
const OutcomeRow = Schema.Struct({ alert: Schema.Int, strategy: Schema.Int, reason: Schema.String })

/** The violations, as sentences, and how much was checked. */
export interface Verdict {
  readonly flaws: ReadonlyArray<string>
  readonly orders: number
  readonly trades: number
}

/** Each order once, each fill once and posted once, and every sum recomputed. */
export const audit = (rows: Rows): Verdict => {
  const bots = rows.all(Bot, "SELECT strategy_id AS strategy, state, tally FROM bots")
  const orders = rows.all(OrderRow, "SELECT strategy_id AS strategy, intent, status FROM orders")
  const fills = rows.all(FillRow, "SELECT strategy_id AS strategy, fill FROM fills ORDER BY id")
  const trades = rows.all(TradeRow, "SELECT strategy_id AS strategy, trade FROM trades ORDER BY id")
  const ledger = rows.all(
    LedgerRow,
    "SELECT id, partition, place, strategy_id AS strategy, posting, hash FROM ledger ORDER BY id"
  )
  const postings = ledger.map(({ posting, strategy }) => ({
    strategy,
    ...Schema.decodeUnknownSync(Posting)(posting)
  }))
  const flaws = [
    ...chained(ledger),
    ...eachOnce(orders, fills, postings),
    ...entriesOnce(rows, orders),
    ...halfTurns(bots),
    ...bots.flatMap((bot) => {
      const own = <A extends { readonly strategy: number }>(all: ReadonlyArray<A>) =>
        all.filter(({ strategy }) => strategy === bot.strategy)
      return balanced(bot, own(postings), own(fills), own(trades)).map(
        (flaw) => `strategy ${bot.strategy}: ${flaw}`
      )
    })
  ]
  return { flaws, orders: orders.length, trades: trades.length }
}

type Read<A> = ReadonlyArray<Schema.Schema.Type<A>>
type Postings = ReadonlyArray<typeof Posting.Type & { readonly strategy: number }>

const chained = (ledger: Read<typeof LedgerRow>): ReadonlyArray<string> => {
  const chains = new Map<Partition, { readonly place: number; readonly hash: Uint8Array }>()
  for (const [before, { hash, id, partition, place, posting, strategy }] of ledger.entries()) {
    const end = chains.get(partition) ?? { place: 0, hash: rootOf(new Uint8Array(32), partition) }
    const sound = hashOf(end.hash, end.place + 1, strategy, posting)
    if (id !== before + 1 || place !== end.place + 1 || Buffer.compare(sound, hash) !== 0)
      return [`the ledger's chain breaks at row ${id}`]
    chains.set(partition, { place, hash })
  }
  return []
}

/** On paper each order has one fill, each fill one posting, and nothing stays open. */
const eachOnce = (orders: Read<typeof OrderRow>, fills: Read<typeof FillRow>, postings: Postings) => {
  const filled = Map.groupBy(fills, ({ fill }) => fill.order)
  const posted = Map.groupBy(postings, ({ order }) => order)
  const known = new Map(orders.map((row) => [row.intent.id, row]))
  return [
    ...orders.flatMap(({ intent, status }) => {
      const own = filled.get(intent.id) ?? []
      const sum = Decimal.sum(own.map(({ fill }) => fill.quantity))
      const isWhole = own.length === 1 && Decimal.equals(sum, intent.quantity)
      const isDone = status === "filled" ? isWhole : status === "rejected" && own.length === 0
      return isDone ? [] : [`order ${intent.id} is ${status} with ${own.length} fills`]
    }),
    ...fills.flatMap(({ fill }) => {
      const times = (posted.get(fill.order) ?? []).length
      if (!known.has(fill.order)) return [`a fill of order ${fill.order}, which was never intended`]
      return times === 1 ? [] : [`the fill of order ${fill.order} was posted ${times} times`]
    })
  ]
}

/** Outcomes of alerts that may make an entry, and those that always do. */
const MAY_ENTER = "'opened', 'added', 'turned', 'trailing_buy_armed'"
const ENTERED = new Set(["opened", "added"])

/** An alert has one entry at most. One that opened or added has one; one that turned has one, or a note why not. */
const entriesOnce = (rows: Rows, orders: Read<typeof OrderRow>): ReadonlyArray<string> => {
  const acted = rows.all(
    OutcomeRow,
    `SELECT alert_id AS alert, strategy_id AS strategy, reason FROM outcomes WHERE reason IN (${MAY_ENTER})`
  )
  const explained = rows.all(
    Schema.Struct({ alert: Schema.Int, strategy: Schema.Int }),
    `SELECT alert_id AS alert, outcomes.strategy_id AS strategy FROM outcomes WHERE reason = 'turned'
      AND EXISTS (SELECT 1 FROM timeline WHERE timeline.strategy_id = outcomes.strategy_id
        AND timeline.at >= outcomes.at AND (rule = 'entry_cancelled'
          OR (rule = 'turn_dropped' AND timeline.alert_id = outcomes.alert_id)
          OR (rule = 'trailing_buy_armed' AND timeline.at = outcomes.at)))`
  )
  const name = (strategy: number, alert: number | undefined) => `strategy ${strategy}, alert ${alert}`
  const entries = orders.filter(({ intent }) => intent.purpose === "entry")
  const sent = Map.groupBy(entries, ({ intent, strategy }) => name(strategy, intent.alert))
  const reasons = new Map(acted.map(({ alert, reason, strategy }) => [name(strategy, alert), reason]))
  const known = new Set(explained.map(({ alert, strategy }) => name(strategy, alert)))
  const without = [...reasons].filter(([what]) => !sent.has(what))
  return [
    ...[...sent].filter(([, own]) => own.length > 1).map(([what]) => `${what}: ordered more than once`),
    ...[...sent.keys()]
      .filter((what) => !reasons.has(what))
      .map((what) => `${what}: ordered, but not opened`),
    ...without
      .filter(([, reason]) => ENTERED.has(reason))
      .map(([what, reason]) => `${what}: ${reason}, but never ordered`),
    ...without
      .filter(([what, reason]) => reason === "turned" && !known.has(what))
      .map(([what]) => `${what}: turned, and nothing came of its entry`)
  ]
}

/** In the end no second leg of a turn waits for anything. */
const halfTurns = (bots: Read<typeof Bot>): ReadonlyArray<string> =>
  bots.flatMap(({ state, strategy }) =>
    Object.entries(state.slots)
      .filter(([, { turn }]) => turn !== undefined)
      .map(([key]) => `strategy ${strategy} has turned ${key} by half`)
  )

const balanced = (
  { state, tally }: typeof Bot.Type,
  postings: Postings,
  fills: Read<typeof FillRow>,
  trades: Read<typeof TradeRow>
): ReadonlyArray<string> => {
  const of = (account: string) =>
    Decimal.sum(
      postings.flatMap(({ lines }) => lines.filter((line) => line.account === account).map((it) => it.amount))
    )
  const recount = Performance.recompute(
    state.startingBalance,
    tally.createdAt,
    trades.map(({ trade }) => trade)
  )
  const openings = postings.filter(({ order }) => order === undefined).length
  const uneven = postings.filter(({ lines }) => !Decimal.isZero(Decimal.sum(lines.map((it) => it.amount))))
  return [
    ...(openings === 1 ? [] : [`began ${openings} times`]),
    ...uneven.map(({ order }) => `the posting of order ${order} does not sum to zero`),
    ...(Decimal.equals(of("cash"), state.cash) ? [] : ["free cash is not what the ledger comes to"]),
    ...(Decimal.equals(of("fees"), feesOf(fills))
      ? []
      : ["the fees of the ledger are not those of the fills"]),
    ...(tallyText(recount) === tallyText(tally) ? [] : ["performance is not what its trades come to"]),
    ...positionsOf(state, fills)
  ]
}

const tallyText = Schema.encodeSync(Bot.fields.tally)
const feesOf = (fills: Read<typeof FillRow>) => Decimal.sum(fills.map(({ fill }) => fill.fee))

/** The position equals what was bought minus what was sold. */
const positionsOf = (state: BotState, fills: Read<typeof FillRow>): ReadonlyArray<string> => {
  const held = new Map<string, Decimal.Decimal>()
  for (const { fill } of fills) {
    const key = marketKey(fill)
    const before = held.get(key) ?? Decimal.zero
    held.set(
      key,
      fill.side === "buy" ? Decimal.add(before, fill.quantity) : Decimal.subtract(before, fill.quantity)
    )
  }
  return [...new Set([...held.keys(), ...Object.keys(state.slots)])].flatMap((key) => {
    const position = state.slots[key]?.position
    const quantity = position?.quantity ?? Decimal.zero
    const signed = position?.side === "short" ? Decimal.negate(quantity) : quantity
    return Decimal.equals(held.get(key) ?? Decimal.zero, signed)
      ? []
      : [`holds another amount of ${key} than its fills come to`]
  })
}
