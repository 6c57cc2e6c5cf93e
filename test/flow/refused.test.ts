// A step that the database rejects by a fault of ours: it is undone as a whole, and nothing else is lost.
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, TestClock } from "effect"
import { type ArmedTerms, ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import type { Order } from "../../src/domain/Order.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Exchange, Report, type Ticket } from "../../src/services/Exchange.ts"
import { DEFAULTS, EngineLimits } from "../../src/services/engine/EngineLimits.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Portfolio, type Step } from "../../src/services/Portfolio.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { Signals } from "../../src/services/Signals.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import { fill } from "../../src/trading/books/Matching.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { aSignal, folder } from "../services/ports.ts"

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

const TERMS: ArmedTerms = {
  account: ExchangeAccountId.make(1),
  capital: Decimal.unsafeFromText("1000"),
  maxOrder: Decimal.unsafeFromText("1000"),
  maxDailyLoss: Decimal.unsafeFromText("100"),
  protect: false
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

  it.effect("with a daily loss leaves the account's other bots free, and halts them once it is stored", () =>
    Effect.gen(function* () {
      const { commit, gate } = refusing(({ halt }) => halt !== undefined)
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ buy_percentage: 90 })
          const other = yield* (yield* Signals).create(ann.account, aSignal())
          yield* Flow.aStrategy(ann.account, { signal_id: other.id })
          yield* Flow.quote(100)
          yield* (yield* Bots).arm(yield* (yield* StrategyStore).get(ann.account, ann.strategy), TERMS)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const entry = Effect.gen(function* () {
            const alert = yield* Flow.say(ann.identity, other.id, "buy")
            yield* Flow.say(ann.identity, other.id, "sell")
            return yield* Flow.became(ann.account, alert)
          })
          // From its first alert on the bot is in memory.
          expect(yield* entry).toEqual(["opened"])
          gate.closed = true
          yield* Flow.quote(88)
          expect(yield* (yield* Halts).all).toEqual([])
          expect(yield* entry).toEqual(["opened"])
          gate.closed = false
          yield* Flow.quote(88)
          expect((yield* (yield* Halts).all).map(({ cause }) => cause)).toEqual(["daily_loss"])
          expect(yield* entry).toEqual(["halted"])
        }),
        { exchange: Scripted.make().layer, commit }
      )
    })
  )

  it.effect("is undone once for each bot, even if a read of another fails meanwhile", () =>
    Effect.gen(function* () {
      const { commit, gate } = refusing(({ outcomes }) => outcomes.length > 0)
      let reads = 0
      const parts: Disk.Parts = {
        commit,
        bot: (bot) => (id) =>
          Effect.suspend(() =>
            ++reads === 2 ? Effect.die(new StorageUnavailable({ reason: "planted" })) : bot(id)
          )
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
          yield* Flow.quote(100)
          gate.closed = true
          const refused = yield* Flow.send(ann.identity, ann.signal, "buy")
          yield* TestClock.adjust("3 seconds")
          expect(reads).toBe(3)
          gate.closed = false
          yield* Flow.quote(100)
          expect(yield* Flow.became(ann.account, refused)).toEqual(["opened", "opened"])
          // Two of three outcomes of the day are used up.
          yield* Flow.quote(50, { pair: "ETH/USDT" })
          const next = yield* Flow.say(ann.identity, ann.signal, "buy", { pair: "ETH/USDT" })
          expect(yield* Flow.became(ann.account, next)).toEqual(["opened", "too_many"])
        }),
        parts
      ).pipe(Effect.provideService(EngineLimits, { ...DEFAULTS, outcomesPerDay: 3 }))
    })
  )

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
