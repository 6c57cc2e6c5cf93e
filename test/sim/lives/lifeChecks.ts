// What must hold of a life in the end, whatever went wrong: one opening for an alert, no half turn, no exit of more than
// is held, a stop of the position's size, and all money on both sides.
import * as Option from "effect/Option"
import type { AlertId } from "../../../src/domain/Alert.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import { type Both, flaws } from "../../reliability/orders/compare.ts"
import { clientIdOf, type Sent } from "../../reliability/orders/Records.ts"
import { tradeFlaw } from "../partChecks.ts"
import type { Records } from "./Records.ts"

/** Prices stay above this. */
const LEAST_PRICE = 90
/** Why no position came of an entry that was sent, or of one that was to follow a closing order. */
const ENDS = new Set(["order_missing", "order_rejected", "order_cancelled"])
/** Outcomes that say that an entry was ordered. */
const ENTERED = new Set(["opened", "added"])

/** What is wrong with a life that has ended; `alerts` is how many its signal has had. */
export const differences = (life: Records, alerts: number): ReadonlyArray<string> => [
  ...unended(life, alerts),
  ...dustOf(life),
  ...flaws(bothOf(life)),
  ...openings(life),
  ...turns(life),
  ...oversold(life),
  ...stepsTwice(life),
  ...life.trades.flatMap((trade) => tradeFlaw(trade) ?? []).map((flaw) => `a trade: ${flaw}`),
  ...posted(life),
  ...astray(life)
]

const unended = (life: Records, alerts: number): ReadonlyArray<string> => {
  const { outcomes, position } = life
  const last = outcomes.slice(-6).map(({ reason }) => reason)
  const resting = life.theirs.filter(({ isDone }) => !isDone)
  return [
    ...(position === undefined ? [] : [`held in the end; ${life.doubt()}; ${last.join(", ")}`]),
    ...(life.isIdle ? [] : [`an order is in doubt in the end; ${life.doubt()}`]),
    ...(outcomes.length === alerts ? [] : [`${alerts} alerts have ${outcomes.length} outcomes`]),
    ...(position !== undefined || resting.length === 0
      ? []
      : [`${resting.length} orders rest on at the exchange though nothing is held`])
  ]
}

const dustOf = ({ dust, market, venue }: Records): ReadonlyArray<string> => {
  const { minAmount, minCost } = venue.market(market)
  const isSellable = (amount: Decimal.Decimal) =>
    Decimal.toNumber(amount) >= Number(minAmount) && Decimal.toNumber(amount) * LEAST_PRICE >= Number(minCost)
  return dust.filter(isSellable).map((amount) => `${Decimal.toText(amount)} were given up, and could be sold`)
}

const bothOf = (life: Records): Both => {
  const { base, dust, market, position, sent, slot, state, theirs, trades, venue } = life
  return {
    ...{ isLive: true, dust: Decimal.sum(dust), orders: sent, position, venue, slot: market },
    ...{ stop: slot?.stop, state, base, trades, theirs }
  }
}

/** The entries that alerts made, by alert. */
const entriesOf = ({ sent }: Records): Map<number | undefined, Array<Sent>> =>
  Map.groupBy(
    sent.filter(({ order }) => order.purpose === "entry"),
    ({ order }) => order.alert
  )

/** An alert has one entry at most, and one that was acted on as an entry has one. */
const openings = (life: Records): ReadonlyArray<string> => {
  const entries = entriesOf(life)
  return [
    ...[...entries]
      .filter(([, own]) => own.length > 1)
      .map(([alert, own]) => `alert ${alert} made ${own.length} entries`),
    ...life.outcomes
      .filter(({ alertId, reason }) => ENTERED.has(reason) && !entries.has(alertId))
      .map(({ alertId, reason }) => `alert ${alertId} was recorded as ${reason}, and made no entry`)
  ]
}

/** After a turn's closing leg comes its entry, or a note that says why there is none. */
const turns = (life: Records): ReadonlyArray<string> => {
  const { notes, outcomes } = life
  const entries = entriesOf(life)
  const isNoted = (alert: AlertId, isIt: (rule: string) => boolean) =>
    notes.some(({ alertId, rule }) => Option.contains(alertId, alert) && isIt(rule))
  return outcomes
    .filter(({ reason }) => reason === "turned")
    .flatMap(({ alertId, at }) => {
      const [entry] = entries.get(alertId) ?? []
      const isCancelled = notes.some((note) => note.rule === "entry_cancelled" && note.at >= at)
      if (entry === undefined)
        return isCancelled || isNoted(alertId, (rule) => rule === "turn_dropped")
          ? []
          : [`alert ${alertId} turned, and nothing came of its entry`]
      return entry.fills.length > 0 || isNoted(alertId, (rule) => ENDS.has(rule))
        ? []
        : [`alert ${alertId} turned, its entry is ${entry.status}, and nothing says why`]
    })
}

/** An exit that the exchange filled never sold more than was held there, nor the other way round. */
const oversold = (life: Records): ReadonlyArray<string> => {
  const exits = new Set(
    life.sent.filter(({ order }) => order.purpose === "exit").map(({ order }) => clientIdOf(order))
  )
  const fills = life.theirs.flatMap(({ fills: own }) => own)
  let net = Decimal.zero
  for (const { amount, order } of fills.toSorted((one, other) => one.at - other.at || byId(one, other))) {
    const signed = order.ticket.side === "buy" ? amount : Decimal.negate(amount)
    const after = Decimal.add(net, signed)
    const isBeyond = Decimal.isPositive(net) ? Decimal.isNegative(after) : Decimal.isPositive(after)
    if (exits.has(order.ticket.clientId ?? "") && (Decimal.isZero(net) || isBeyond))
      return [`an exit of ${Decimal.toText(amount)} filled where ${Decimal.toText(net)} was held`]
    net = after
  }
  return []
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id.length - other.id.length || (one.id < other.id ? -1 : 1)

/** Each step of a position's own closes its part once. */
const stepsTwice = (life: Records): ReadonlyArray<string> => {
  const steps = life.sent.filter(
    ({ fills, order }) => order.exitReason === "take_profit" && order.part === true && fills.length > 0
  )
  const spans = life.trades.map(({ closedAt, openedAt }) => [openedAt, closedAt] as const)
  return spans.flatMap(([from, to]) => {
    const own = steps.filter(({ order }) => order.at >= from && order.at < to).map(({ order }) => order.step)
    return new Set(own).size === own.length ? [] : [`steps ${own.join(", ")} of one position were filled`]
  })
}

/** The free cash is what the ledger comes to. */
const posted = ({ postedCash, state }: Records): ReadonlyArray<string> => {
  if (state?.live === undefined) return ["the strategy is not armed any more"]
  return Decimal.equals(state.cash, postedCash)
    ? []
    : [`free cash is ${Decimal.toText(state.cash)}, the ledger comes to ${Decimal.toText(postedCash)}`]
}

/** What is wrong with the stop at the exchange once nothing is under way; nothing where there is no position. */
export const stopFlaw = (life: Records): string | undefined => {
  const { isIdle, market, position, slot, venue } = life
  const resting = life.theirs.filter(({ isDone }) => !isDone)
  if (position === undefined)
    return resting.length === 0 ? undefined : `a stop rests though nothing is held; ${life.doubt()}`
  const { amountStep, minAmount, minCost } = venue.market(market)
  const held = Decimal.floorToStep(position.quantity, Decimal.unsafeFromText(amountStep))
  const quantity = Decimal.toNumber(held)
  const isTradable = quantity >= Number(minAmount) && quantity * LEAST_PRICE >= Number(minCost)
  if (!isTradable || quantity === 0) return undefined
  const [stop, ...more] = resting
  if (!isIdle || stop === undefined || slot?.stop === undefined || more.length > 0)
    return `${resting.length} stops rest for ${Decimal.toText(position.quantity)}; ${life.doubt()}`
  return Decimal.equals(stop.amount, held)
    ? undefined
    : `the stop at rest is of ${Decimal.toText(stop.amount)}, the position of ${Decimal.toText(position.quantity)}`
}

/** Nobody else trades, so that nothing is ever missing at the exchange; the notes before it say what was taken for it. */
const astray = ({ notes }: Records): ReadonlyArray<string> => {
  const first = notes.findIndex(({ rule }) => rule === "astray")
  if (first === -1) return []
  const before = notes.slice(Math.max(0, first - 6), first + 1)
  return [`taken for sold by hand: ${before.map(({ at, text }) => `${at} ${text}`).join(" / ")}`]
}
