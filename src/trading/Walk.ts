import * as Schema from "effect/Schema"
import * as Alert from "../domain/Alert.ts"
import type { BotState, Slot } from "../domain/Bot.ts"
import { Candle } from "../domain/Candle.ts"
import { type MarketId, Pair } from "../domain/Market.ts"
import { marketFields } from "../domain/Order.ts"
import { ofLast } from "../domain/Ticker.ts"
import { decide } from "./Bot.ts"
import type { BotAlert, Context, Decision } from "./Decision.ts"
import { keyOf } from "./Keys.ts"
import { atLeast, atMost, reached } from "./Prices.ts"
import { ENDLESS_PATIENCE, route } from "./Routing.ts"
import { triggers, viewOf } from "./Rules.ts"
import type { Trigger } from "./Trigger.ts"
import { moved } from "./trailing.ts"

/** Which extreme comes first; `none`: nothing there, no walk. */
const Path = Schema.Literal("low_first", "high_first", "none")

/**
 * Where a candle's walk stands: plain data, so that it can be stored between an order and its fill. At the open:
 * `exits` of each market, `alerts` that fall due, `entries` (DCA, trailing buy); then `walk`, each market in turn,
 * from `price` along `leg` of its path (leg 0 is the open itself).
 */
export const Cursor = Schema.Struct({
  candle: Candle,
  markets: Schema.Array(Schema.Struct(marketFields)),
  alerts: Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      type: Alert.AlertType,
      pair: Pair,
      tp: Schema.optionalWith(Schema.Number, { exact: true }),
      sl: Schema.optionalWith(Schema.Number, { exact: true }),
      at: Schema.Int
    })
  ),
  stage: Schema.Literal("exits", "alerts", "entries", "walk"),
  market: Schema.Int,
  alert: Schema.Int,
  paths: Schema.Array(Path),
  leg: Schema.Int,
  price: Schema.Number,
  ambiguous: Schema.Boolean
})
export type Cursor = typeof Cursor.Type

/**
 * What the walk came to next. `Step`: apply the decision, resolve its orders (`decide` their results in
 * `contextAt(context, cursor)`), go on with `cursor`; `alert` is the one that the decision answers. `Waiting`: an
 * order is in flight. `Done`: the candle is walked; `ambiguous` when it held an adverse and a favourable level.
 */
export type Next =
  | { readonly _tag: "Step"; readonly decision: Decision; readonly cursor: Cursor; readonly alert?: BotAlert }
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Done"; readonly ambiguous: boolean }

/** A candle of markets that share its prices (spot before swap), and the alerts that fall due with it, in order. */
export const start = (
  candle: Candle,
  markets: ReadonlyArray<MarketId>,
  alerts: ReadonlyArray<BotAlert>
): Cursor => ({
  candle,
  markets,
  alerts,
  stage: "exits",
  market: 0,
  alert: 0,
  paths: [],
  leg: 0,
  price: candle.open,
  ambiguous: false
})

/** The context at the cursor: the candle's time, and its price for the markets it prices. */
export const contextAt = (context: Context, cursor: Cursor): Context => {
  const [first] = cursor.markets
  return first === undefined
    ? context
    : standing(context, context.feed(first), cursor.candle.at, cursor.price)
}

/** Walks on until something is decided or the candle ends. */
export const next = (context: Context, state: BotState, from: Cursor): Next => {
  if (isAnyInFlight(state)) return { _tag: "Waiting" }
  // Written to on the way; nobody else sees it before it is handed out.
  const cursor: Moving = { ...from }
  for (;;) {
    const step = advance(context, state, cursor)
    if (step === "done") return { _tag: "Done", ambiguous: cursor.ambiguous }
    if (step !== undefined) return { _tag: "Step", cursor, ...step }
  }
}

type Moving = { -readonly [field in keyof Cursor]: Cursor[field] }

/** A decision on the way; nothing where there was none to take; the end of the candle. */
type Move = { readonly decision: Decision; readonly alert?: BotAlert } | "done" | undefined

const standing = (context: Context, feed: string, now: number, price: number): Context => {
  const ticker = ofLast(price, now)
  const { fees, market, orderId, rank, settings } = context
  const quote: Context["quote"] = (id) => (context.feed(id) === feed ? ticker : context.quote(id))
  return { now, settings, market, fees, quote, feed: context.feed, rank, orderId }
}

const advance = (context: Context, state: BotState, cursor: Moving): Move => {
  switch (cursor.stage) {
    case "exits":
      if (isPlain(state, cursor)) return looked(context, state, cursor, "all", "walk")
      return looked(context, state, cursor, "exits", "alerts")
    case "alerts":
      return alerted(context, state, cursor)
    case "entries":
      return looked(context, state, cursor, "all", "walk")
    case "walk":
      return walked(context, state, cursor)
  }
}

/** With no alert and one slot in use, the exits and then the entries are one look: they are in that order anyway. */
const isPlain = (state: BotState, cursor: Cursor): boolean =>
  cursor.alerts.length === 0 &&
  cursor.market === 0 &&
  cursor.markets.filter((market) => state.slots[keyOf(market)] !== undefined).length < 2

/** Looks at each market at the open, as often as something is decided, then turns to the next stage. */
const looked = (
  context: Context,
  state: BotState,
  cursor: Moving,
  rules: "exits" | "all",
  after: Cursor["stage"]
): Move => {
  const here = contextAt(context, cursor)
  for (; cursor.market < cursor.markets.length; cursor.market++) {
    const market = cursor.markets[cursor.market]
    // Where nothing is, a price changes nothing: equity moved at its own events.
    if (market === undefined || state.slots[keyOf(market)] === undefined) continue
    const decision = decide(here, state, { _tag: "Price", market, rules })
    if (!isEmpty(decision)) return { decision }
  }
  cursor.stage = after
  cursor.market = 0
  // The order of the extremes is settled after all that happened at the open.
  if (after === "walk") cursor.paths = cursor.markets.map((market) => pathOf(state.slots[keyOf(market)]))
  return undefined
}

const alerted = (context: Context, state: BotState, cursor: Moving): Move => {
  const alert = cursor.alerts[cursor.alert]
  if (alert === undefined) {
    cursor.stage = "entries"
    return undefined
  }
  cursor.alert++
  const here = contextAt(context, cursor)
  const routed = route(here, state, alert, ENDLESS_PATIENCE)
  if (routed._tag !== "Slot") return { alert, decision: { ...NOTHING, alert: routed } }
  const decision = decide(here, state, { _tag: "Alert", alert, market: routed.market })
  // An exit that the same price triggers goes first; once its order is resolved the alert has its turn.
  if (decision.alert?._tag !== "Waiting" || decision.orders.length === 0) return { alert, decision }
  cursor.alert--
  return { decision }
}

/** The adverse extreme comes first to a position, the favourable one to an entry that waits for a turn. */
const pathOf = (slot: Slot | undefined): typeof Path.Type => {
  if (slot?.position !== undefined) return slot.position.side === "long" ? "low_first" : "high_first"
  if (slot?.trailingBuy !== undefined) return slot.trailingBuy.side === "long" ? "high_first" : "low_first"
  return "none"
}

const walked = (context: Context, state: BotState, cursor: Moving): Move => {
  const market = cursor.markets[cursor.market]
  if (market === undefined) return "done"
  const path = cursor.paths[cursor.market] ?? "none"
  const slot = state.slots[keyOf(market)]
  if (path !== "none" && slot !== undefined) {
    const decision = walkSlot(context, state, cursor, market, slot, path)
    if (decision !== undefined) return { decision }
  }
  cursor.market++
  cursor.leg = 0
  cursor.price = cursor.candle.open
  return undefined
}

/** One slot's walk from where the cursor stands: up to its next decision, or none to the end of the candle. */
const walkSlot = (
  context: Context,
  state: BotState,
  cursor: Moving,
  market: MarketId,
  slot: Slot,
  path: "low_first" | "high_first"
): Decision | undefined => {
  const here = (price: number) => {
    cursor.price = price
    return decide(contextAt(context, cursor), state, { _tag: "Price", market, rules: "all" })
  }
  let found = triggersAt(context, state, cursor, market)
  if (cursor.leg === 0) {
    cursor.leg = 1
    cursor.ambiguous ||= isAmbiguous(cursor.candle, found)
    // What the other slot's walk changed (freed cash, say) may make a rule hold at the open already.
    const decision = cursor.market === 0 ? NOTHING : here(cursor.price)
    if (!isEmpty(decision)) return decision
  }
  for (; cursor.leg <= 3; cursor.leg++) {
    const goal = pointOf(cursor.candle, path, cursor.leg)
    for (;;) {
      // Of all triggers only an armed trail's depends on where the price stands.
      if (slot.position?.peak !== undefined) found = triggersAt(context, state, cursor, market)
      const level = nextLevel(found, cursor.price, goal)
      if (level === undefined) break
      const decision = here(level)
      if (!isEmpty(decision)) return decision
    }
    const decision = pushes(slot, goal) ? here(goal) : NOTHING
    cursor.price = goal
    if (isEmpty(decision)) continue
    cursor.leg++
    return decision
  }
  return undefined
}

/** Where a leg of the path ends. Leg 0 is the open itself. */
const pointOf = (candle: Candle, path: "low_first" | "high_first", leg: number): number => {
  if (leg === 3) return candle.close
  return (leg === 1) === (path === "low_first") ? candle.low : candle.high
}

/** The first level that the path reaches on its way to the goal. */
const nextLevel = (triggers: ReadonlyArray<Trigger>, price: number, goal: number): number | undefined => {
  const when = goal > price ? "above" : "below"
  let nearest: number | undefined
  for (const trigger of triggers) {
    const { level } = trigger
    if (trigger.when !== when || !reached(goal, level, when) || reached(price, level, when)) continue
    if (nearest === undefined || (when === "above" ? level < nearest : level > nearest)) nearest = level
  }
  return nearest
}

const isAmbiguous = (candle: Candle, triggers: ReadonlyArray<Trigger>): boolean => {
  const within = ({ level }: Trigger) => atLeast(level, candle.low) && atMost(level, candle.high)
  return (
    triggers.some((trigger) => ADVERSE.has(trigger.rule) && within(trigger)) &&
    triggers.some((trigger) => FAVOURABLE.has(trigger.rule) && within(trigger))
  )
}

const ADVERSE: ReadonlySet<Trigger["rule"]> = new Set([
  "stop_loss",
  "sl",
  "liquidation",
  "trailing_sell"
] as const)
const FAVOURABLE: ReadonlySet<Trigger["rule"]> = new Set(["take_profit", "tp"] as const)

const triggersAt = (
  context: Context,
  state: BotState,
  cursor: Cursor,
  market: MarketId
): ReadonlyArray<Trigger> => {
  const here = contextAt(context, cursor)
  return triggers(viewOf(here, state, market, ofLast(cursor.price, cursor.candle.at)), "all")
}

/** Whether a price moves the slot's trail. */
const pushes = (slot: Slot, price: number): boolean => moved(slot, ofLast(price, 0)) !== slot

const isAnyInFlight = (state: BotState): boolean => {
  for (const key in state.slots) if (state.slots[key]?.order !== undefined) return true
  return false
}

const isEmpty = (decision: Decision): boolean =>
  decision.changes.length === 0 && decision.orders.length === 0 && decision.notes.length === 0

const NOTHING: Decision = { changes: [], orders: [], trades: [], postings: [], notes: [] }
