// Prices to bots: the index of windows against a plain loop that asks every bot of the pair about every tick.
import { ofLast } from "../../src/domain/Ticker.ts"
import { advance, CLOSED, follow, leaves, type Window, watch } from "../../src/trading/Watch.ts"
import { WindowIndex } from "../../src/trading/watch/WindowIndex.ts"
import { median } from "./compare.ts"
import type { Line } from "./line.ts"
import {
  ask,
  play,
  rewinding,
  type Shape,
  type Ticks,
  type Trader,
  ticksOf,
  type World,
  worldOf
} from "./liveWorld.ts"

const ROUNDS = 3

/** Ten thousand bots on pairs that trade alike. */
export const TICKS: Shape = { bots: 10_000, pairs: 500, ticks: 4_000_000 }

/**
 * The naive way: each market has a plain list of the bots that hold or await something there, with their windows.
 * Every tick is compared with each window, and moves each trail. The comparison and the decisions are the same code on
 * both sides: only the search for the bots concerned differs.
 */
const naive = (world: World, ticks: Ticks): number => {
  const lists = world.markets.map((): Array<Watcher> => [])
  const watchers = world.traders.map((trader) =>
    trader.markets.map((market) => ({
      trader,
      market,
      key: world.keys[market] ?? "",
      window: CLOSED,
      place: -1
    }))
  )
  const publish = (trader: Trader, windows: ReadonlyMap<string, Window>): void => {
    for (const watcher of watchers[trader.id] ?? []) {
      const list = lists[watcher.market] ?? []
      const window = windows.get(watcher.key)
      if (window !== undefined) {
        watcher.window = window
        if (watcher.place < 0) watcher.place = list.push(watcher) - 1
      } else if (watcher.place >= 0) {
        const last = list.pop()
        if (last !== undefined && last !== watcher) {
          last.place = watcher.place
          list[watcher.place] = last
        }
        watcher.place = -1
      }
    }
  }
  for (const trader of world.traders) publish(trader, watch(trader.context, trader.state))
  const ticker = { bid: 0, ask: 0, last: 0, at: 0 }
  return play(world, ticks, (market, bid, offer, now) => {
    ticker.bid = ticker.last = bid
    ticker.ask = offer
    ticker.at = now
    const list = lists[market]
    const id = world.markets[market]
    if (list === undefined || id === undefined) return
    for (let i = 0; i < list.length; i++) {
      const watcher = list[i]
      if (watcher === undefined) continue
      const { trader, window } = watcher
      if (leaves(window, ticker, now)) {
        publish(trader, ask(world, trader, id))
        // The bot has left the list, and the last one has taken its place.
        if (list[i] !== watcher) i--
        continue
      }
      const next = advance(window, ticker)
      if (next === window) continue
      watcher.window = next
      trader.state = follow(trader.state, watcher.key, ticker)
    }
  })
}

interface Watcher {
  readonly trader: Trader
  readonly market: number
  readonly key: string
  window: Window
  place: number
}

/** Our way: an index of the windows of each market. */
export const indexed = (world: World, ticks: Ticks): number => {
  const crowds = world.markets.map(() => new WindowIndex())
  const publish = (trader: Trader, windows: ReadonlyMap<string, Window>): void => {
    for (const market of trader.markets) {
      const window = windows.get(world.keys[market] ?? "")
      if (window === undefined) crowds[market]?.drop(trader.id)
      else crowds[market]?.put(trader.id, window)
    }
  }
  /** Writes a moved trail into the bot's state before it decides. */
  const bringUp = (trader: Trader): void => {
    for (const market of trader.markets) {
      const extreme = crowds[market]?.extremeOf(trader.id) ?? Number.NaN
      if (extreme > 0)
        trader.state = follow(trader.state, world.keys[market] ?? "", ofLast(extreme, world.now))
    }
  }
  for (const trader of world.traders) publish(trader, watch(trader.context, trader.state))
  return play(world, ticks, (market, bid, offer, now) => {
    const found = crowds[market]?.tick(bid, offer, now) ?? []
    for (const id of found) {
      const trader = world.traders[id]
      const concerned = world.markets[market]
      if (trader === undefined || concerned === undefined) continue
      bringUp(trader)
      publish(trader, ask(world, trader, concerned))
    }
  })
}

const measure = (name: string, what: string, shape: Shape, floor: number, goal: number): Line => {
  const ticks = ticksOf(shape)
  const rewind = rewinding(worldOf(shape))
  const run = (how: typeof naive) => {
    const world = rewind()
    Bun.gc(true)
    const ms = how(world, ticks)
    return { ms, fills: [...world.fills].sort() }
  }
  const rounds = Array.from({ length: ROUNDS }, () => {
    const [slow, fast] = [run(naive), run(indexed)]
    const same = slow.fills.join("\n") === fast.fills.join("\n")
    return { slow: slow.ms, fast: fast.ms, same, fills: fast.fills.length }
  })
  const ratio = median(rounds.map(({ fast, slow }) => slow / fast))
  const [slow, fast] = [median(rounds.map((it) => it.slow)), median(rounds.map((it) => it.fast))]
  const perTick = (ms: number) => `${((ms * 1e6) / shape.ticks).toFixed(0)} ns`
  const same = rounds.every((round) => round.same)
  const fills = rounds[0]?.fills ?? 0
  return {
    name,
    text:
      `${what}: ${fast.toFixed(0)} ms (${perTick(fast)} a tick); naive ${slow.toFixed(0)} ms (${perTick(slow)}); ` +
      `ratio ${ratio.toFixed(1)} (floor ${floor}, goal ${goal}); ${fills} fills, ${same ? "the same" : "NOT THE SAME"}`,
    ok: ratio >= floor && same && fills > 0,
    ratio
  }
}

const ticks = () => measure("live.ticks", "10,000 bots, 500 pairs, 4,000,000 ticks", TICKS, 6, 20)
const skew = () =>
  measure(
    "live.skew",
    "half of 10,000 bots and 30 % of 400,000 ticks on one of 500 pairs",
    { bots: 10_000, pairs: 500, ticks: 400_000, hot: 0.5, busy: 0.3 },
    5,
    15
  )

export default async (): Promise<ReadonlyArray<Line>> => [ticks(), skew()]

/** A line that takes seconds only, and whose ratio releases keep. */
export const short = async (): Promise<ReadonlyArray<Line>> => [
  measure(
    "live.few",
    "2,000 bots, 100 pairs, 400,000 ticks",
    { bots: 2_000, pairs: 100, ticks: 400_000 },
    2,
    10
  )
]
