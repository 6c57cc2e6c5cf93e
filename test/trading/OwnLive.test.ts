// An embedder's own decisions with real money: the limits of arming and halts hold, and a stop at the exchange goes first.
import { describe, expect, test } from "bun:test"
import { explain } from "../../src/trading/Notes.ts"
import { type Hooks, hold, leave, OwnDecisions, veto } from "../../src/trading/OwnDecisions.ts"
import { Live, SPOT } from "./live.ts"
import { settings } from "./scenario.ts"

const armed = (hooks: Hooks, terms: Parameters<Live["arm"]>[0] = {}, chosen = settings()) => {
  const live = new Live(chosen).arm(terms).quote(SPOT, 100)
  live.own = new OwnDecisions(hooks, (hook, error) => expect.unreachable(`${hook}: ${error}`))
  return live
}

describe("with real money", () => {
  test("a size beyond the largest order is refused by the terms", () => {
    const live = armed({ size: ({ free }) => free }, { maxOrder: "500" })
    expect(live.alert("buy")).toBe("over_max_order")
    expect(live.decisions.flatMap(({ orders }) => orders)).toEqual([])
  })

  test("a veto sends nothing, and leaves nothing behind", () => {
    const live = armed({ entry: () => veto("no") })
    expect(live.alert("buy")).toBe("vetoed")
    expect(live.decisions.flatMap(({ cancels, orders }) => [...orders, ...cancels])).toEqual([])
    expect(live.state.slots).toEqual({})
  })

  test("a halt comes before the hooks, which are not called", () => {
    let calls = 0
    const live = armed({
      entry: (_, proposal) => {
        calls++
        return proposal
      }
    })
    live.halted = true
    expect(live.alert("buy")).toBe("halted")
    expect(calls).toBe(0)
    live.halted = false
    expect(live.alert("buy")).toBe("opened")
    expect(calls).toBe(1)
  })

  test("an own exit waits until the stop at the exchange is cancelled, and then sells once", () => {
    const hooks: Hooks = { exit: ({ price }) => (price >= 120 ? leave("high enough") : hold({ above: 120 })) }
    const live = armed(hooks, { protect: true }, settings({ stopLoss: { percent: 10 } }))
    live.alert("buy")
    const [entry] = live.decisions.at(-1)?.orders ?? []
    if (entry === undefined) return expect.unreachable("nothing was ordered")
    const placed = live.part(entry, "100", 100, true)
    expect(placed.orders.map(({ type }) => type)).toEqual(["stop"])
    const { cancels, notes, orders } = live.tick(SPOT, 121, 1)
    expect(orders).toEqual([])
    expect(notes.map(explain)).toEqual([
      "Cancelling the stop for BTC/USDT at 90: own decisions.",
      "Own decisions close BTC/USDT at 121 as soon as its stop at the exchange is cancelled: high enough."
    ])
    // Nothing is decided while the stop is being cancelled.
    expect(live.tick(SPOT, 122, 2)).toMatchObject({ orders: [], notes: [], cancels: [] })
    const [stop] = cancels
    if (stop === undefined) return expect.unreachable("no stop was cancelled")
    const after = live.end(stop)
    expect(after.orders).toMatchObject([{ purpose: "exit", exitReason: "own_exit", type: "market" }])
    live.fillAll(after)
    expect(live.state.slots).toEqual({})
    expect(live.decisions.flatMap(({ trades }) => trades.map(({ exitReason }) => exitReason))).toEqual([
      "own_exit"
    ])
  })
})
