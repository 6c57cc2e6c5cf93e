import { expect, test } from "bun:test"
import { join } from "node:path"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Logger, LogLevel, Option } from "effect"
import * as Decimal from "../../src/domain/Decimal.ts"
import { ExchangeAccountId } from "../../src/domain/Live.ts"
import { Bots } from "../../src/services/Bots.ts"
import { Exchange, Report } from "../../src/services/Exchange.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import * as Scripted from "../../src/testing/ScriptedExchange.ts"
import * as VirtualClock from "../../src/testing/VirtualClock.ts"
import * as Disk from "../lib/disk.ts"
import * as Flow from "../lib/flow.ts"
import { folder } from "../services/ports.ts"

const sum = Decimal.fromNumber(1000)
const terms = {
  account: ExchangeAccountId.make(1),
  capital: sum,
  maxOrder: sum,
  maxDailyLoss: sum,
  protect: false
}

/** A server is killed while an order of a live strategy is on its way; another strategy is on paper. */
const killed = Effect.gen(function* () {
  const db = join(yield* folder, "signalbox.db")
  const exchange = Scripted.make(Scripted.neverAnswers)
  const people = yield* Disk.run(
    db,
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ buy_percentage: 50 })
      const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
      yield* (yield* Bots).arm(strategy, terms)
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      const paper = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
      Disk.copy(db, `${db}.killed`)
      return { ...ann, paper }
    }),
    { exchange: exchange.layer }
  )
  expect(exchange.sent.map(({ purpose }) => purpose)).toEqual(["entry"])
  return { ...people, db: `${db}.killed` }
})

/** An exchange that is asked about orders and answers when it is let. */
const slow = Effect.gen(function* () {
  const told = yield* Deferred.make<Report>()
  const layer = Layer.succeed(Exchange, {
    submit: () => Effect.never,
    lookup: () => Deferred.await(told),
    cancel: () => Effect.never
  })
  return { layer, tell: (report: Report) => Deferred.succeed(told, report) }
})

const quietly = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self.pipe(Logger.withMinimumLogLevel(LogLevel.None), Effect.withTracerEnabled(false))

/** The next server, a second after its start. */
const next = Effect.fnUntraced(function* (db: string, exchange: Layer.Layer<Exchange>) {
  const up = yield* Effect.fork(Layer.build(Layer.fresh(Disk.world(db, { exchange }))))
  yield* VirtualClock.pass("900 millis", { leap: 0 })
  expect(yield* Fiber.poll(up)).toEqual(Option.none())
  yield* VirtualClock.pass("100 millis", { leap: 0 })
  return yield* up
})

test("a start takes alerts in while an exchange is silent, and judges them once it has been waited for", () =>
  VirtualClock.run(
    Effect.gen(function* () {
      const ann = yield* killed
      const { layer } = yield* slow
      const server = yield* next(ann.db, layer)
      yield* Effect.gen(function* () {
        const change = Flow.update(ann.account, ann.paper, { buy_percentage: 20 })
        const alert = yield* Flow.send(ann.identity, ann.signal, "buy")
        yield* Effect.fork(Flow.quote(100))
        const changing = yield* Effect.fork(change)
        yield* VirtualClock.pass("5 seconds")
        const refused = yield* Fiber.await(changing)
        expect(Exit.isFailure(refused) && Cause.pretty(refused.cause)).toContain("the bots begin in a moment")
        yield* VirtualClock.pass("3900 millis")
        expect(yield* Flow.became(ann.account, alert)).toEqual([])
        yield* VirtualClock.pass("200 millis")
        // The armed one has an order under way of which nobody knows.
        expect(yield* Flow.became(ann.account, alert)).toEqual(["pending_entry", "opened"])
        yield* change
      }).pipe(Effect.provide(server))
    }).pipe(quietly)
  ))

test("it begins as soon as the exchange has told", () =>
  VirtualClock.run(
    Effect.gen(function* () {
      const ann = yield* killed
      const { layer, tell } = yield* slow
      const server = yield* next(ann.db, layer)
      yield* Effect.gen(function* () {
        const alert = yield* Flow.send(ann.identity, ann.signal, "buy")
        yield* Effect.fork(Flow.quote(100))
        yield* VirtualClock.pass("2 seconds")
        expect(yield* Flow.became(ann.account, alert)).toEqual([])
        const slots = Object.values((yield* Flow.botOf(ann.strategy))?.state.slots ?? {})
        for (const { order } of slots)
          if (order !== undefined)
            yield* tell(Report.Rejected({ order: order.id, reason: "not enough funds" }))
        yield* VirtualClock.pass("100 millis")
        expect(yield* Flow.became(ann.account, alert)).toEqual(["opened", "opened"])
      }).pipe(Effect.provide(server))
    }).pipe(quietly)
  ))
