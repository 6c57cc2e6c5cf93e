// Plays one candle. At its open: exits, alerts that are due, and entries, for every market that uses its prices. Then
// its path from open to close, market by market, stopping wherever a rule could act. The cursor is plain data, so a
// walk can be stored between an order and its fill.
import * as Schema from "effect/Schema"
import type { BotState, Slot } from "../../domain/Bot.ts"
import { Candle } from "../../domain/Candle.ts"
import type { MarketId } from "../../domain/Market.ts"
import { marketFields } from "../../domain/Order.ts"
import { ofLast, type Ticker } from "../../domain/Ticker.ts"
import { ENDLESS_PATIENCE } from "../AlertPatience.ts"
import { decide, hasInFlight } from "../Bot.ts"
import { keyOf } from "../bot/Keys.ts"
import { type BotAlert, type Change, type Context, type Decision, NOTHING, OVERRUN } from "../Decision.ts"
import { MAX_DECISIONS } from "../Overrun.ts"
import { route } from "../Routing.ts"
import { ownLevels } from "../rules/ownExit.ts"
import { triggers, viewOf } from "../rules/Rules.ts"
import { firstHeld, type Trigger } from "../rules/Trigger.ts"
import { follow } from "../Watch.ts"
import { type CandlePath, isAmbiguous, nextLevel, pathOf, pointOf } from "./CandlePath.ts"
import { DueAlert } from "./DueAlert.ts"

/**
 * The position of a walk. At the open: `exits` of all markets, due `alerts`, `entries` (DCA, trailing buy); then
 * `walk`, market by market, from `price` along `leg` of its path (leg 0 is the open). `steps` counts the decisions
 * since the candle began or an alert was answered.
 */
export const Cursor = Schema.Struct({
  candle: Candle,
  markets: Schema.Array(Schema.Struct(marketFields)),
  alerts: Schema.Array(DueAlert),
  stage: Schema.Literal("exits", "alerts", "entries", "walk"),
  market: Schema.Int,
  alert: Schema.Int,
  paths: Schema.Array(Schema.Literal("low_first", "high_first", "none")),
  leg: Schema.Int,
  price: Schema.Number,
  steps: Schema.Int,
  ambiguous: Schema.Boolean
})
export type Cursor = typeof Cursor.Type

/**
 * The next step of a walk. `Step`: apply the decision, resolve its orders (`decide` the results in `contextAt(context,
 * cursor)`), continue with `cursor`; `alert` is the one it answers. `Waiting`: an order is in flight. `Done`: the
 * candle is walked; `ambiguous` if it held an adverse and a favourable level.
 */
export type Next =
  | { readonly _tag: "Step"; readonly decision: Decision; readonly cursor: Cursor; readonly alert?: BotAlert }
  | { readonly _tag: "Waiting" }
  | { readonly _tag: "Done"; readonly ambiguous: boolean }

/**
 * Begins the walk of a candle for markets that share its prices (spot before swap), with the alerts due at it. It may
 * start at the alerts if nothing can happen at the open before them.
 */
export const start = (
  candle: Candle,
  markets: ReadonlyArray<MarketId>,
  alerts: ReadonlyArray<BotAlert>,
  stage: "exits" | "alerts" = "exits"
): Cursor => ({
  candle,
  markets,
  alerts,
  stage,
  market: 0,
  alert: 0,
  paths: [],
  leg: 0,
  price: candle.open,
  steps: 0,
  ambiguous: false
})

/** The context at the cursor: the candle's time, and its price for the markets it prices. */
export const contextAt = (context: Context, cursor: Cursor): Context => {
  const [first] = cursor.markets
  if (first === undefined) return context
  const now = cursor.candle.at
  return standing(context, context.feed(first), ofLast(cursor.price, now), momentOf(cursor))
}

/** At the open all markets are settled together; then each walks by itself. */
const momentOf = ({ markets, stage }: Cursor): Context["moment"] =>
  stage === "walk" ? undefined : { markets, rules: stage === "entries" ? "all" : "exits" }

/** Walks until a decision or the end of the candle. */
export const next = (context: Context, state: BotState, from: Cursor): Next => {
  if (hasInFlight(state)) return { _tag: "Waiting" }
  const cursor: Moving = { ...from }
  const walker: Walker = { context, cursor, state, moves: [], seen: undefined }
  for (;;) {
    const step = advance(walker)
    if (step === "done") return { _tag: "Done", ambiguous: cursor.ambiguous }
    if (step === undefined) continue
    const { alert } = step
    cursor.steps = alert === undefined ? cursor.steps + 1 : 0
    const decision = cursor.steps > MAX_DECISIONS ? OVERRUN : afterMoves(walker, step.decision)
    return alert === undefined
      ? { _tag: "Step", decision, cursor }
      : { _tag: "Step", decision, cursor, alert }
  }
}

type Moving = { -readonly [field in keyof Cursor]: Cursor[field] }

/**
 * One call of `next`. It writes to its own copy of the cursor. `moves` are the trail moves so far: `state` already has
 * them; they go out with the next decision, or alone at the end of a slot's walk.
 */
interface Walker {
  readonly context: Context
  readonly cursor: Moving
  readonly moves: Array<Change>
  state: BotState
  seen: Sight | undefined
}

/** A slot's triggers at a price, `levels` with those of an own exit, the first that holds. Valid until the state changes. */
interface Sight {
  readonly market: MarketId
  readonly price: number
  readonly triggers: ReadonlyArray<Trigger>
  readonly levels: ReadonlyArray<Trigger>
  readonly first: Trigger | undefined
}

/** How many stops the walk of a slot makes before it passes over the levels of an embedder's own exit. */
const MAX_OWN_STOPS = 100

/** A decision, nothing, or the end of the candle. */
type Move = { readonly decision: Decision; readonly alert?: BotAlert } | "done" | undefined

const sight = (walker: Walker, market: MarketId): Sight => {
  const { context, cursor, seen, state } = walker
  if (seen?.market === market && seen.price === cursor.price) return seen
  const view = viewOf(contextAt(context, cursor), state, market, ofLast(cursor.price, cursor.candle.at))
  const found = triggers(view, "all")
  const levels = context.own === undefined ? found : [...found, ...ownLevels(view)]
  walker.seen = { market, price: cursor.price, triggers: found, levels, first: firstHeld(view, found) }
  return walker.seen
}

const standing = (context: Context, feed: string, ticker: Ticker, moment: Context["moment"]): Context => {
  const now = ticker.at
  const { fees, market, orderId, own, rank, settings } = context
  const quote: Context["quote"] = (id) => (context.feed(id) === feed ? ticker : context.quote(id))
  const here = { now, settings, market, fees, quote, feed: context.feed, rank, orderId, own, moment }
  return context.halted === true ? { ...here, halted: true } : here
}

const advance = (walker: Walker): Move => {
  switch (walker.cursor.stage) {
    case "exits":
      return looked(walker, "exits", "alerts")
    case "alerts":
      return alerted(walker)
    case "entries":
      return looked(walker, "all", "walk")
    case "walk":
      return walked(walker)
  }
}

/** Applies the rules to all markets at the open until nothing is decided, then enters the next stage. */
const looked = (walker: Walker, rules: "exits" | "all", after: Cursor["stage"]): Move => {
  const { cursor } = walker
  for (const market of cursor.markets) pushes(walker, market)
  for (const market of cursor.markets) {
    const decision = decideIfPriced(walker, market, rules)
    if (!isEmpty(decision)) return { decision }
  }
  cursor.stage = after
  // The path is chosen after everything at the open has happened.
  if (after === "walk") cursor.paths = cursor.markets.map((market) => pathOf(slotOf(walker, market)))
  return undefined
}

/** The decision at the present price. An empty slot decides nothing here: equity changed at its own events. */
const decideIfPriced = (walker: Walker, market: MarketId, rules: "exits" | "all"): Decision => {
  if (slotOf(walker, market) === undefined) return NOTHING
  const { first } = sight(walker, market)
  // A cheap check instead of a decision that would be empty. Exits come before entries.
  const isQuiet = first === undefined || (rules === "exits" && !isExit(first))
  return isQuiet && walker.state.closing === undefined ? NOTHING : decideHere(walker, market, rules)
}

const decideHere = ({ context, cursor, state }: Walker, market: MarketId, rules: "exits" | "all"): Decision =>
  decide(contextAt(context, cursor), state, { _tag: "Price", market, rules })

const alerted = ({ context, cursor, state }: Walker): Move => {
  const alert = cursor.alerts[cursor.alert]
  if (alert === undefined) {
    cursor.stage = "entries"
    return undefined
  }
  cursor.alert++
  const here = contextAt(context, cursor)
  const routed = route(here, state, alert, { patience: ENDLESS_PATIENCE, since: here.now })
  if (routed._tag !== "Slot") return { alert, decision: { ...NOTHING, alert: routed } }
  const { entry, market } = routed
  const decision = decide(here, state, { _tag: "Alert", alert, market, entry })
  // An exit at the same price goes first; the alert follows once its order is resolved.
  if (decision.alert?._tag !== "Waiting" || decision.orders.length === 0) return { alert, decision }
  cursor.alert--
  return { decision }
}

const walked = (walker: Walker): Move => {
  const { cursor } = walker
  const market = cursor.markets[cursor.market]
  if (market === undefined) return "done"
  const path = cursor.paths[cursor.market] ?? "none"
  if (path !== "none" && cursor.leg <= 3 && (slotOf(walker, market) !== undefined || isAnyHeld(walker))) {
    const decision = walkSlot(walker, market, path)
    if (decision !== undefined) return { decision }
  }
  cursor.market++
  cursor.leg = 0
  cursor.price = cursor.candle.open
  return undefined
}

/** A slot that emptied on its way walks on while its price values another position, since a balance rule may fire. */
const isAnyHeld = (walker: Walker): boolean =>
  walker.cursor.markets.some((market) => slotOf(walker, market)?.position !== undefined)

/** Walks one slot to its next decision; undefined at the end of the candle. */
const walkSlot = (walker: Walker, market: MarketId, path: CandlePath): Decision | undefined => {
  const { cursor } = walker
  let found = sight(walker, market).levels
  let stops = 0
  if (cursor.leg === 0) {
    cursor.leg = 1
    cursor.ambiguous ||= isAmbiguous(cursor.candle, found)
    // The walk of the other slot (by freeing cash, for example) may have made a rule hold at the open.
    const decision = decideIfPriced(walker, market, "all")
    if (!isEmpty(decision)) return decision
  }
  for (; cursor.leg <= 3; cursor.leg++) {
    const goal = pointOf(cursor.candle, path, cursor.leg)
    for (;;) {
      // Only the trigger of an armed trail depends on the present price.
      if (slotOf(walker, market)?.position?.peak !== undefined) found = sight(walker, market).levels
      if (walker.context.own !== undefined)
        found = stops++ < MAX_OWN_STOPS ? sight(walker, market).levels : sight(walker, market).triggers
      const level = nextLevel(found, cursor.price, goal)
      if (level === undefined) break
      cursor.price = level
      const decision = decideHere(walker, market, "all")
      if (!isEmpty(decision)) return decision
    }
    cursor.price = goal
    if (!pushes(walker, market)) continue
    found = sight(walker, market).levels
    const decision = decideIfPriced(walker, market, "all")
    if (isEmpty(decision)) continue
    cursor.leg++
    return decision
  }
  return walker.moves.length > 0 ? NOTHING : undefined
}

const isExit = ({ rule }: Trigger): boolean => rule !== "dca" && rule !== "trailing_buy"

const afterMoves = ({ moves }: Walker, decision: Decision): Decision =>
  moves.length === 0 || decision.overrun === true
    ? decision
    : { ...decision, changes: [...moves, ...decision.changes] }

const slotOf = ({ state }: Walker, market: MarketId): Slot | undefined => state.slots[keyOf(market)]

/** Moves the slot's trail to the present price; returns whether it moved. */
const pushes = (walker: Walker, market: MarketId): boolean => {
  const { cursor, state } = walker
  const key = keyOf(market)
  const next = follow(state, key, ofLast(cursor.price, cursor.candle.at))
  const slot = next.slots[key]
  if (next === state || slot === undefined) return false
  walker.moves.push({ _tag: "Slot", key, slot })
  walker.state = next
  walker.seen = undefined
  return true
}

const isEmpty = (decision: Decision): boolean =>
  decision.overrun !== true &&
  decision.changes.length === 0 &&
  decision.orders.length === 0 &&
  decision.notes.length === 0
