// A step that the database rejects by a fault of ours: it is undone as a whole, and nothing else is lost.
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, TestClock } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { Portfolio, type Step } from "../../src/services/Portfolio.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "../services/ports.ts"

const file = Effect.map(folder, (path) => join(path, "signalbox.db"))

/** Refuses commits with such steps until it is switched off. */
const refusing = (concerns: (step: Step) => boolean) => {
  const gate = { closed: false }
  const commit: Disk.Parts["commit"] = (inner) => (steps, cursor) =>
    Effect.suspend(() =>
      gate.closed && steps.some(concerns) ? Effect.dieMessage("planted") : inner(steps, cursor)
    )
  return { gate, commit }
}

const HALF = Decimal.unsafeFromText("0.5")

/** Reports one or two halves of the first order, whatever is asked; the order is done with the second. */
const inHalves = () => {
  let first: Ticket<Order> | undefined
  const told = { halves: 0 }
  const report = (ticket: Ticket<Order>): Report => {
    first ??= ticket
    const { at, fees, order } = first
    if (told.halves === 0) return Report.Accepted({ order: order.id })
    const whole = fill(order, fees, at)
    const half = (amount: Decimal.Decimal) => Decimal.multiply(amount, HALF)
    const part = { quantity: half(whole.quantity), notional: half(whole.notional), fee: half(whole.fee) }
    const fills = ["a", "b"].slice(0, told.halves).map((id) => ({ ...whole, ...part, id }))
    return Report.Filled({ order: order.id, fills, done: told.halves === 2 })
  }
  const answer = (ticket: Ticket<Order>) => Effect.sync(() => report(ticket))
  return { told, layer: Layer.succeed(Exchange, { submit: answer, lookup: answer }) }
}

describe("a step refused by storage", () => {
  for (const [before, refused] of [
    [0, 1],
    [1, 2]
  ] as const) {
    it.effect(`with fill ${refused} of 2 is applied once, with the next report`, () =>
      Effect.gen(function* () {
        const exchange = inHalves()
        const { commit, gate } = refusing(({ fills }) => fills.length > 0)
        yield* Disk.run(
          yield* file,
          Effect.gen(function* () {
            const ann = yield* Flow.ann()
            yield* Flow.quote(100)
            yield* Flow.say(ann.identity, ann.signal, "buy")
            exchange.told.halves = before
            yield* TestClock.adjust("2 seconds")
            gate.closed = true
            exchange.told.halves = refused
            yield* TestClock.adjust("1 seconds")
            gate.closed = false
            yield* TestClock.adjust("3 seconds")
            exchange.told.halves = 2
            yield* TestClock.adjust("3 seconds")
            expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
            const fills = yield* (yield* Portfolio).fills(ann.strategy)
            expect(fills.map(({ id }) => id)).toEqual(["a", "b"])
          }),
          { exchange: exchange.layer, commit }
        )
      })
    )
  }

  it.effect("with an alert's outcome is decided again, also after a restart", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { commit, gate } = refusing(({ outcomes }) => outcomes.length > 0)
      const parts = { commit }
      const [ann, waited, fresh] = yield* Disk.run(
        db,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          const waited = yield* Flow.say(ann.identity, ann.signal, "buy")
          gate.closed = true
          yield* Flow.quote(100)
          const fresh = yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
          return [ann, waited, fresh] as const
        }),
        parts
      )
      gate.closed = false
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(100)
          yield* Flow.quote(50, { pair: "ETH/USDT" })
          yield* Flow.caughtUp
          expect(yield* Flow.became(ann.account, waited)).toEqual(["opened"])
          expect(yield* Flow.became(ann.account, fresh)).toEqual(["opened"])
        }),
        parts
      )
    })
  )
})
