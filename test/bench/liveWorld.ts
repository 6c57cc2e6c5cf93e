// The world of the live benches: many bots of all kinds, and one random walk for each pair.
import type { AlertType } from "../../src/domain/Alert.ts"
import type { BotState } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { type MarketId, Pair } from "../../src/domain/Market.ts"
import { OrderId } from "../../src/domain/Order.ts"
import type { Ticker } from "../../src/domain/Ticker.ts"
import { ENDLESS_PATIENCE } from "../../src/trading/AlertPatience.ts"
import * as Bot from "../../src/trading/Bot.ts"
import { feesOf } from "../../src/trading/books/Fees.ts"
import * as Matching from "../../src/trading/books/Matching.ts"
import { keyOf } from "../../src/trading/bot/Keys.ts"
import type { Context, Decision, Event } from "../../src/trading/Decision.ts"
import { route } from "../../src/trading/Routing.ts"
import { type Window, watch } from "../../src/trading/Watch.ts"
import { market, settings } from "../trading/scenario.ts"

/** `hot` is the first pair's share of the bots, and `busy` its share of the ticks. */
export interface Shape {
  readonly bots: number
  readonly pairs: number
  readonly ticks: number
  readonly hot?: number
  readonly busy?: number
}

/** Ticks in sequence, evenly over time: each has a market and its best prices. */
export interface Ticks {
  readonly market: Uint16Array
  readonly bid: Float64Array
  readonly ask: Float64Array
}
/** The duration of the ticks, and how far prices move in a second as a fraction: 4 % a day. */
const SECONDS = 3600
const MOVE = 0.04 / Math.sqrt(86_400)

/** One bot. `markets` are the indices of the markets that it trades. */
export interface Trader {
  readonly id: number
  readonly markets: ReadonlyArray<number>
  readonly context: Context
  readonly entry: AlertType
  readonly targets: { readonly tp?: number; readonly sl?: number }
  state: BotState
  alerts: number
}

/** Prices and bots of one run. A fill is known by tick, bot, price and quantity. */
export interface World {
  readonly traders: Array<Trader>
  readonly markets: ReadonlyArray<MarketId>
  readonly keys: ReadonlyArray<string>
  readonly bids: Float64Array
  readonly asks: Float64Array
  readonly fills: Array<string>
  now: number
}

export const drawing = (seed: number) => {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    chance: (share: number) => next() < share,
    between: (low: number, high: number) => Math.round((low + (high - low) * next()) * 100) / 100,
    below: (end: number) => Math.floor(next() * end)
  }
}
type Draw = ReturnType<typeof drawing>

const marketOf = (_: unknown, index: number): MarketId => ({
  exchange: "binance",
  pair: Pair.make(`C${index}/USDT`),
  kind: index % 2 === 0 ? "spot" : "swap"
})

/** Each pair's price is a random walk in cents, of the same speed for all: with more ticks each one moves it less. */
export const ticksOf = ({ busy = 0, pairs, ticks }: Shape): Ticks => {
  const draw = drawing(7)
  const prices = Float64Array.from({ length: pairs }, (_, index) => firstPrice(index))
  const made = { market: new Uint16Array(ticks), bid: new Float64Array(ticks), ask: new Float64Array(ticks) }
  const secondsBetween = (share: number) => SECONDS / (ticks * share)
  const [slow, fast] = [(1 - busy) / pairs, busy].map((share) => MOVE * Math.sqrt(secondsBetween(share)))
  for (let i = 0; i < ticks; i++) {
    const which = draw.chance(busy) ? 0 : draw.below(pairs)
    const price = prices[which] ?? 0
    const move = (which === 0 && busy > 0 ? fast : slow) ?? 0
    // A sum of three draws is near enough to a normal one; its deviation is a half.
    const cents = Math.round(price * (1 + 2 * move * (draw.next() + draw.next() + draw.next() - 1.5)))
    prices[which] = cents
    made.market[i] = which
    made.bid[i] = cents / 100
    made.ask[i] = (cents + draw.below(3)) / 100
  }
  return made
}

const firstPrice = (index: number) => 500_000 + ((index * 7919) % 1_000_000)

/** Bots with settings of their own: any rule may be on, with common percentages. */
const chosen = (draw: Draw, markets: ReadonlyArray<MarketId>) => {
  const some = <A>(share: number, of: () => A): A | undefined => (draw.chance(share) ? of() : undefined)
  const minProfitPercent = some(0.6, () => draw.between(0.8, 5))
  const trailingBuy = some(0.25, () => ({ percent: draw.between(0.3, 1.5) }))
  const trailingSell = some(0.4, () => ({
    armPercent: draw.between(0.5, 3),
    percent: draw.between(0.2, 1)
  }))
  const stopLoss = some(0.6, () => ({ percent: draw.between(1, 10) }))
  const dca = some(0.5, () => ({
    waitMinutes: draw.below(30),
    maxRetries: 1 + draw.below(4),
    triggerPercent: draw.between(0.5, 4),
    orderSizePercent: 50
  }))
  const autoClose = some(0.3, () => ({ minutes: 30 + draw.below(2000) }))
  const balanceTakeProfit = some(0.2, () => ({ triggerPercent: draw.between(1, 10), cooldownMinutes: 5 }))
  const balanceStopLoss = some(0.2, () => ({ triggerPercent: draw.between(1, 10), cooldownMinutes: 5 }))
  return {
    ...BASE,
    buyPercent: 10 + draw.below(60),
    ...(minProfitPercent === undefined ? {} : { minProfitPercent }),
    ...(trailingBuy === undefined ? {} : { trailingBuy }),
    ...(trailingSell === undefined ? {} : { trailingSell }),
    ...(stopLoss === undefined ? {} : { stopLoss }),
    ...(dca === undefined ? {} : { dca }),
    ...(autoClose === undefined ? {} : { autoClose }),
    ...(balanceTakeProfit === undefined ? {} : { balanceTakeProfit }),
    ...(balanceStopLoss === undefined ? {} : { balanceStopLoss }),
    exchanges: [{ exchange: "binance" as const, pairs: markets.map(({ pair }) => pair) }]
  }
}
const BASE = settings({ takerFeePercent: 0.1, makerFeePercent: 0.02 })

/** All bots with their first entries made: in a position, or armed for one. Every eighth trades two pairs. */
export const worldOf = ({ bots, hot = 0, pairs }: Shape): World => {
  const draw = drawing(11)
  const markets = Array.from({ length: pairs }, marketOf)
  const first = Float64Array.from({ length: pairs }, (_, index) => firstPrice(index) / 100)
  const world: World = {
    traders: [],
    markets,
    keys: markets.map(keyOf),
    bids: first,
    asks: first.slice(),
    fills: [],
    now: 0
  }
  for (let id = 0; id < bots; id++) {
    const first = id < bots * hot ? 0 : draw.below(pairs)
    const second = id % 8 === 0 ? (first + 2 + 2 * draw.below(pairs / 2 - 1)) % pairs : first
    world.traders.push(traderOf(world, draw, id, first === second ? [first] : [first, second]))
  }
  for (const trader of world.traders) enter(world, trader)
  return world
}

const traderOf = (world: World, draw: Draw, id: number, indices: ReadonlyArray<number>): Trader => {
  const markets = indices.flatMap((index) => world.markets[index] ?? [])
  const own = chosen(draw, markets)
  const fees = feesOf(own, { makerFeePercent: Decimal.zero, takerFeePercent: Decimal.zero })
  const found = new Map(markets.map((each) => [each.pair, market(each, { minCost: "5" })]))
  const places = new Map(indices.map((index) => [world.markets[index]?.pair, index]))
  const context: Context = {
    get now() {
      return world.now
    },
    settings: own,
    market: ({ pair }) => found.get(pair),
    fees: () => fees,
    quote: ({ pair }) => quoteOf(world, places.get(pair) ?? 0),
    feed: keyOf,
    rank: Bot.rankBy(own),
    orderId: () => ORDER
  }
  const isSwap = markets[0]?.kind === "swap"
  const entry = isSwap ? (draw.chance(0.5) ? "long" : "short") : "buy"
  const way = entry === "short" ? -1 : 1
  const price = world.bids[indices[0] ?? 0] ?? 0
  return {
    id,
    markets: indices,
    context,
    entry,
    targets: {
      ...(indices.length === 1 && draw.chance(0.1) ? { tp: price * (1 + way * 0.03) } : {}),
      ...(indices.length === 1 && draw.chance(0.1) ? { sl: price * (1 - way * 0.03) } : {})
    },
    state: Bot.start("USDT", START),
    alerts: 0
  }
}

const quoteOf = ({ asks, bids, now }: World, market: number): Ticker => {
  const bid = bids[market] ?? 0
  return { bid, ask: asks[market] ?? 0, last: bid, at: now }
}

const START = Decimal.unsafeFromText("10000")
const ORDER = OrderId.make("bench")

/** Sends an alert for each market of the bot. */
const enter = (world: World, trader: Trader): void => {
  for (const index of trader.markets) {
    const id = world.markets[index]
    if (id === undefined) continue
    const targets = trader.alerts === 0 ? trader.targets : {}
    const alert = { id: ++trader.alerts, type: trader.entry, pair: id.pair, at: world.now, ...targets }
    const routed = route(trader.context, trader.state, alert, {
      patience: ENDLESS_PATIENCE,
      since: world.now
    })
    if (routed._tag !== "Slot") continue
    tell(world, trader, { _tag: "Alert", alert, market: routed.market, entry: routed.entry })
  }
}

/** Lets a bot decide and fills its orders at once, until it orders no more. */
const tell = (world: World, trader: Trader, event: Event): ReadonlyArray<Decision> => {
  const decision = Bot.decide(trader.context, trader.state, event)
  trader.state = Bot.apply(trader.state, decision)
  return [
    decision,
    ...decision.orders.flatMap((order) => {
      const fill = Matching.fill(order, trader.context.fees(order), world.now)
      world.fills.push(`${world.now} ${trader.id} ${fill.side} ${fill.price} ${fill.quantity.value}`)
      return tell(world, trader, { _tag: "Filled", market: order, fill, done: true })
    })
  ]
}

/** Asks a bot at a price outside its window. A bot that closed everything enters again at once. */
export const ask = (world: World, trader: Trader, market: MarketId): ReadonlyMap<string, Window> => {
  const decisions = tell(world, trader, { _tag: "Price", market, rules: "all" })
  if (decisions.some(({ trades }) => trades.length > 0) && Bot.isFlat(trader.state)) enter(world, trader)
  return watch(trader.context, trader.state)
}

/** Plays all ticks: `see` gets each one once it is the quote. Returns the milliseconds that it took. */
export const play = (
  world: World,
  ticks: Ticks,
  see: (market: number, bid: number, ask: number, now: number) => void
): number => {
  const { asks, bids } = world
  const msPerTick = (1000 * SECONDS) / ticks.market.length
  const from = performance.now()
  for (let i = 0; i < ticks.market.length; i++) {
    const market = ticks.market[i] ?? 0
    const bid = ticks.bid[i] ?? 0
    const ask = ticks.ask[i] ?? 0
    bids[market] = bid
    asks[market] = ask
    world.now = Math.floor(i * msPerTick)
    see(market, bid, ask, world.now)
  }
  return performance.now() - from
}

/** Returns a function that copies the world as it was at the first tick. */
export const rewinding = (world: World): (() => World) => {
  const beginnings = world.traders.map(({ alerts, state }) => ({ alerts, state }))
  const [bids, asks] = [world.bids.slice(), world.asks.slice()]
  return () => {
    for (const [index, beginning] of beginnings.entries())
      Object.assign(world.traders[index] ?? {}, beginning)
    world.bids.set(bids)
    world.asks.set(asks)
    world.fills.length = 0
    world.now = 0
    return world
  }
}
