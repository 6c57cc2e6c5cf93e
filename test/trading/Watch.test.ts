import { describe, expect, test } from "bun:test"
import * as FastCheck from "effect/FastCheck"
import { type MarketId, marketKey } from "../../src/domain/Market.ts"
import { ofLast } from "../../src/domain/Ticker.ts"
import { advance, follow, leaves, watch } from "../../src/trading/Watch.ts"
import { Live, SPOT, SWAP } from "./live.ts"
import { alert, BTC, MINUTE, settings } from "./scenario.ts"
import { world } from "./world.ts"

const ids: ReadonlyArray<MarketId> = [SPOT, SWAP]

/** A bot fed with the opens of a world's candles as ticks: by its windows alone, or (`always`) at every tick. */
const feed = (seed: number, always: boolean): Live => {
  const { backtest } = world(seed, 1)
  const live = new Live(backtest.settings, backtest.market)
  const [series] = backtest.series
  const alerts = [...backtest.alerts].sort((left, right) => left.at - right.at)
  let windows = watch(live.context, live.state)
  for (let i = 0; i < (series?.columns.length ?? 0); i++) {
    const price = series?.columns.open[i] ?? 0
    live.now = series?.columns.at[i] ?? 0
    for (const id of ids) {
      live.quote(id, price)
      const key = marketKey(id)
      const window = windows.get(key)
      if (window === undefined) continue
      const ticker = ofLast(price, live.now)
      if (!leaves(window, ticker, live.now)) {
        if (!always) {
          const next = advance(window, ticker)
          if (next === window) continue
          windows = new Map(windows).set(key, next)
          live.state = follow(live.state, key, ticker)
          continue
        }
        const before = live.state
        const decision = live.decide({ _tag: "Price", market: id, rules: "all" })
        // Inside its window a bot moves trails at most.
        expect(decision.orders).toEqual([])
        expect(decision.notes).toEqual([])
        expect(live.state).toEqual(follow(before, key, ticker))
      } else {
        live.decide({ _tag: "Price", market: id, rules: "all" })
        live.fillAll()
      }
      windows = watch(live.context, live.state)
    }
    while ((alerts[0]?.at ?? Number.POSITIVE_INFINITY) <= live.now) {
      const next = alerts.shift()
      if (next !== undefined) live.alert(next.type, next)
      live.fillAll()
      windows = watch(live.context, live.state)
    }
  }
  return live
}

test("inside the watch window decide returns nothing, and a bot run by its windows makes the same trades", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.integer({ min: 1, max: 2_000_000 }), (seed) => {
      const trades = (live: Live) => live.decisions.flatMap((decision) => decision.trades)
      const windowed = feed(seed, false)
      expect(trades(windowed)).toEqual(trades(feed(seed, true)))
    }),
    { numRuns: 60 }
  )
})

test("a window has the prices and the time", () => {
  const live = new Live(
    settings({ stopLoss: { percent: 5 }, minProfitPercent: 10, autoClose: { minutes: 60 } })
  )
  live.quote(SPOT, 100)
  live.alert("buy", alert(0, "buy", { pair: BTC }))
  live.fillAll()
  const window = watch(live.context, live.state).get(marketKey(SPOT))
  expect([window?.below.toFixed(6), window?.above.toFixed(6), window?.at]).toEqual([
    "95.000000",
    "110.000000",
    60 * MINUTE
  ])
})

describe("a DCA that still waits", () => {
  const waiting = (price: number): Live => {
    const live = new Live(
      settings({
        dca: { waitMinutes: 30, maxRetries: 2, triggerPercent: 3, orderSizePercent: 100 },
        buyPercent: 20
      })
    )
    live.quote(SPOT, 100)
    live.alert("buy", alert(0, "buy", { pair: BTC }))
    live.fillAll()
    live.now = 10 * MINUTE
    live.tick(SPOT, price)
    live.fillAll()
    return live
  }
  const windowIn = (live: Live) => watch(live.context, live.state).get(marketKey(SPOT))

  test("is watched by its level, so that the end of its wait wakes no bot in vain", () => {
    const window = windowIn(waiting(99))
    expect([window?.below.toFixed(6), window?.at]).toEqual(["97.000000", Number.POSITIVE_INFINITY])
  })

  test("is watched by the time alone where the price is at its level before the wait is over", () => {
    const window = windowIn(waiting(96.5))
    expect([window?.below, window?.at]).toEqual([Number.NEGATIVE_INFINITY, 30 * MINUTE])
  })

  test("enters at the end of its wait at a price that came to its level meanwhile, and not before", () => {
    const live = waiting(96.5)
    const before = live.decisions.length
    const entries = () => live.decisions.slice(before).flatMap(({ orders }) => orders)
    live.now = 30 * MINUTE - 1
    live.tick(SPOT, 96.5)
    expect(entries()).toEqual([])
    live.now = 30 * MINUTE
    live.tick(SPOT, 96.5)
    expect(entries().map(({ price, purpose }) => [purpose, price])).toEqual([["dca", 96.5]])
  })
})
