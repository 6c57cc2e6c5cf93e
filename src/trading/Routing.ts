// Routes an alert to its slot, or answers it with the first reason of: stale, strategy_inactive, pair_not_listed,
// quote_not_default, no_price. A closing alert goes to the slot that holds the position, whatever the settings say now.
import type { AlertType, IgnoredReason } from "../domain/Alert.ts"
import type { BotState, Slot } from "../domain/Bot.ts"
import { type ExchangeName, type MarketId, type MarketKind, type Pair, quoteOf } from "../domain/Market.ts"
import type { PositionSide } from "../domain/Order.ts"
import type { OnOpposite, Settings } from "../domain/Strategy.ts"
import type { AlertPatience } from "./AlertPatience.ts"
import { type BotAlert, type Context, type EntryTerms, placeOf } from "./Decision.ts"

/** The meaning of an alert's type: `buy` and `sell` act on spot, the others on the pair's linear perpetual. */
export interface Meaning {
  readonly kind: MarketKind
  readonly side: PositionSide
  readonly act: "open" | "close"
}

/** The market kind, side and action of an alert type. */
export const meaningOf = (type: AlertType): Meaning => {
  switch (type) {
    case "buy":
      return { kind: "spot", side: "long", act: "open" }
    case "sell":
      return { kind: "spot", side: "long", act: "close" }
    case "long":
      return { kind: "swap", side: "long", act: "open" }
    case "close_long":
      return { kind: "swap", side: "long", act: "close" }
    case "short":
      return { kind: "swap", side: "short", act: "open" }
    case "close_short":
      return { kind: "swap", side: "short", act: "close" }
  }
}

/** What an entry alert does to a position or a waiting entry of the other side. */
export const oppositionOf = (settings: Settings, { reverse, type }: BotAlert): OnOpposite => {
  if (type !== "long" && type !== "short") return "ignore"
  return reverse === undefined ? (settings.onOpposite ?? "ignore") : reverse ? "reverse" : "ignore"
}

/** The other side. */
export const otherSide = (side: PositionSide): PositionSide => (side === "long" ? "short" : "long")

/**
 * The slot of an alert, its answer if it needs no slot, or what it waits for. `entry` is present where the alert first
 * closes the other side.
 */
export type Routed =
  | { readonly _tag: "Slot"; readonly market: MarketId; readonly entry?: EntryTerms }
  | { readonly _tag: "Answered"; readonly reason: IgnoredReason }
  | { readonly _tag: "Waiting"; readonly on: "price" }

/** How long an alert may wait, and since when it has (ms): since it was first found without a price. */
export interface Waiting {
  readonly patience: AlertPatience
  readonly since: number
}

/** Routes an alert. A closing alert waits for its price without limit. */
export const route = (context: Context, state: BotState, alert: BotAlert, waiting: Waiting): Routed => {
  const meaning = meaningOf(alert.type)
  if (meaning.act === "close") return routeClosing(context, state, alert, meaning)
  const { patience, since } = waiting
  const opposite = oppositeOf(context, state, alert)
  if (opposite !== undefined) return routeTurn(context, state, alert, { opposite, waiting })
  if (context.now - alert.at > patience.entryMs) return answered("stale")
  const market = entryMarket(context, state, { pair: alert.pair, kind: meaning.kind })
  if (typeof market === "string") return answered(market)
  if (context.quote(market) !== undefined) return { _tag: "Slot", market }
  return context.now - since >= patience.priceMs ? answered("no_price") : { _tag: "Waiting", on: "price" }
}

/** The market of an entry, or why the strategy has none for it. */
export const entryMarket = (
  context: Context,
  state: BotState,
  { kind, pair }: Pick<MarketId, "kind" | "pair">
): MarketId | IgnoredReason => {
  if (!context.settings.active) return "strategy_inactive"
  const market = marketFor(context, pair, kind)
  return listingRejection(context, state, pair, market) ?? market ?? "pair_not_listed"
}

/** The slot of the other side that an entry alert closes or cancels first; undefined if there is none. */
export const oppositeOf = (context: Context, state: BotState, alert: BotAlert): Slot | undefined => {
  if (oppositionOf(context.settings, alert) === "ignore") return undefined
  const { kind, side } = meaningOf(alert.type)
  return holderOf(context, state, alert, { kind, side: otherSide(side) })
}

/** Its closing leg acts whatever is against the entry. Without a position, the entry's price is waited for. */
const routeTurn = (
  context: Context,
  state: BotState,
  alert: BotAlert,
  { opposite, waiting }: { readonly opposite: Slot; readonly waiting: Waiting }
): Routed => {
  const { exchange, kind, pair } = opposite
  const { patience, since } = waiting
  const market = { exchange, pair, kind }
  const isPriced = context.quote(market) !== undefined
  if (opposite.position !== undefined && !isPriced) return { _tag: "Waiting", on: "price" }
  const entry = entryMarket(context, state, opposite)
  const isStale = context.now - alert.at > patience.entryMs
  const refused = isStale ? "stale" : typeof entry === "string" ? entry : undefined
  const isLate = context.now - since >= patience.priceMs
  if (!isPriced && refused === undefined && !isLate) return { _tag: "Waiting", on: "price" }
  const until = alert.at + patience.entryMs
  return {
    _tag: "Slot",
    market,
    entry: {
      refused: refused ?? (isPriced ? undefined : "no_price"),
      ...(Number.isFinite(until) ? { until } : {})
    }
  }
}

/** The default exchange if it lists the pair, else the first that does. */
export const exchangeFor = (settings: Settings, pair: Pair): ExchangeName | undefined =>
  routesOf(settings).get(pair)?.exchange

/** The exchange and pair of a spot market and its perpetual. */
export type Place = Pick<MarketId, "exchange" | "pair">

/** The place of every listed pair, by the pair's text. Computed once per settings value; values never change. */
export const routesOf = (settings: Settings): ReadonlyMap<string, Place> => {
  const known = routes.get(settings)
  if (known !== undefined) return known
  const made = new Map<string, Place>()
  for (const { exchange, pairs } of settings.exchanges) {
    for (const pair of pairs)
      if (exchange === settings.defaultExchange || !made.has(pair)) made.set(pair, { exchange, pair })
  }
  routes.set(settings, made)
  return made
}

const routes = new WeakMap<Settings, ReadonlyMap<string, Place>>()

/** Those of its pairs in the strategy's own quote currency, where alerts may open a position. Cached by settings. */
export const tradableOf = (settings: Settings): ReadonlyMap<string, Place> => {
  const known = tradable.get(settings)
  if (known !== undefined) return known
  const made = new Map([...routesOf(settings)].filter(([, { pair }]) => quoteOf(pair) === settings.quote))
  tradable.set(settings, made)
  return made
}

const tradable = new WeakMap<Settings, ReadonlyMap<string, Place>>()

const marketFor = (context: Context, pair: Pair, kind: MarketKind): MarketId | undefined => {
  const exchange = exchangeFor(context.settings, pair)
  if (exchange === undefined) return undefined
  const id = { exchange, pair, kind }
  return context.market(id) === undefined ? undefined : id
}

const listingRejection = (
  context: Context,
  state: BotState,
  pair: Pair,
  market: MarketId | undefined
): IgnoredReason | undefined => {
  if (market === undefined) return "pair_not_listed"
  const quote = quoteOf(pair)
  return quote !== context.settings.quote || quote !== state.quote ? "quote_not_default" : undefined
}

const routeClosing = (context: Context, state: BotState, alert: BotAlert, meaning: Meaning): Routed => {
  const market = marketFor(context, alert.pair, meaning.kind)
  const { kind, side } = meaning
  const holder =
    holderOf(context, state, alert, meaning) ??
    (alert.eitherSide === true ? holderOf(context, state, alert, { kind, side: otherSide(side) }) : undefined)
  if (holder === undefined)
    return answered(listingRejection(context, state, alert.pair, market) ?? "no_position")
  if (holder.position !== undefined && context.quote(holder) === undefined)
    return { _tag: "Waiting", on: "price" }
  return { _tag: "Slot", market: { exchange: holder.exchange, pair: holder.pair, kind: holder.kind } }
}

/** Only a slot from before the alert arrived: a waiting alert must not close what was opened later. */
const holderOf = (context: Context, state: BotState, alert: BotAlert, meaning: Held): Slot | undefined => {
  let first: Slot | undefined
  const preferred = exchangeFor(context.settings, alert.pair)
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot === undefined || slot.pair !== alert.pair || slot.kind !== meaning.kind) continue
    if (!concerns(slot, alert, meaning)) continue
    if (slot.exchange === preferred) return slot
    first ??= slot
  }
  return first
}

/** What an alert is about: a market kind and a side. */
type Held = Pick<Meaning, "kind" | "side">

const concerns = (slot: Slot, alert: BotAlert, meaning: Held): boolean => {
  const { order, position, trailingBuy, turn } = slot
  if (turn !== undefined && turn.side === meaning.side && turn.alert < placeOf(alert)) return true
  if (position !== undefined) return position.side === meaning.side && position.openedBy < placeOf(alert)
  if (trailingBuy !== undefined)
    return trailingBuy.side === meaning.side && trailingBuy.alert < placeOf(alert)
  return order?.position === meaning.side && (order.alert ?? 0) < placeOf(alert)
}

const answered = (reason: IgnoredReason): Routed => ({ _tag: "Answered", reason })
