import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Cause, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Performance } from "../../src/services/Performance.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { StorageUnavailable, typed } from "../../src/services/records/StorageUnavailable.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import { add, begin, summary } from "../../src/trading/Performance.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { aSignal, cursorOf, folder } from "./ports.ts"

// The engine when what it stands on gives way: a full disk, rows that are refused, a bot that cannot decide.
const file = Effect.map(folder, (path) => join(path, "signalbox.db"))
const full = new StorageUnavailable({ reason: "planted" })

describe("a full disk", () => {
  it.effect("stops every bot at its last stored step, and all continue by themselves", () =>
    Effect.gen(function* () {
      let isFull = false
      let tries = 0
      const parts: Disk.Parts = {
        commit: (commit) => (steps, cursor) =>
          Effect.suspend(() => {
            tries++
            return isFull ? Effect.die(full) : commit(steps, cursor)
          })
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          isFull = true
          tries = 0
          const price = yield* Effect.fork(Flow.quote(95))
          yield* TestClock.adjust("1 seconds")
          expect(Option.isNone(yield* Fiber.poll(price))).toBe(true)
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          // Alerts are taken all the same (they have a commit of their own); a request is told to come again.
          const sell = yield* Flow.send(ann.identity, ann.signal, "sell")
          const change = yield* Effect.fork(
            Effect.exit(Flow.update(ann.account, ann.strategy, { active: false }))
          )
          yield* TestClock.adjust("5 seconds")
          const answer = yield* Fiber.join(change)
          expect(defectOf(answer)).toBeInstanceOf(StorageUnavailable)
          expect(tries).toBeGreaterThan(5)
          expect(tries).toBeLessThan(20)
          isFull = false
          yield* TestClock.adjust("1 seconds")
          yield* Fiber.join(price)
          yield* Flow.caughtUp
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 95 stop_loss x1"
          ])
          expect(yield* Flow.became(ann.account, sell)).toEqual(["no_position"])
          // The change was refused, and changed nothing.
          yield* Flow.quote(95)
          const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
          expect(yield* Flow.became(ann.account, buy)).toEqual(["opened"])
        }),
        parts
      )
    })
  )

  it.effect("is an error of type StorageUnavailable for callers who ask for a typed port", () =>
    Effect.gen(function* () {
      let isFull = false
      const commit: Disk.Parts["commit"] = (commit) => (steps, cursor) =>
        Effect.suspend(() => (isFull ? Effect.die(full) : commit(steps, cursor)))
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const strategies = yield* typed(Strategies)
          const change = strategies.update(ann.account, ann.strategy, { active: false }).pipe(
            Effect.map(() => "changed"),
            Effect.catchTag("StorageUnavailable", ({ reason }) => Effect.succeed(reason))
          )
          isFull = true
          const price = yield* Effect.fork(Flow.quote(95))
          yield* TestClock.adjust("1 seconds")
          const refused = yield* Effect.fork(change)
          yield* TestClock.adjust("5 seconds")
          expect(yield* Fiber.join(refused)).toBe("the bots are waiting for the disk")
          isFull = false
          yield* TestClock.adjust("5 seconds")
          yield* Fiber.join(price)
          expect(yield* change).toBe("changed")
          // Errors of the port's own stay what they are, and other defects stay defects.
          const missing = yield* Effect.flip(strategies.remove(ann.account, 99))
          expect(missing._tag).toBe("StrategyNotFound")
        }),
        { commit }
      )
    })
  )

  it.effect("loses nothing and stores nothing twice if a waiting caller is interrupted", () =>
    Effect.gen(function* () {
      let isFull = false
      const parts: Disk.Parts = {
        commit: (commit) => (steps, cursor) =>
          Effect.suspend(() => (isFull ? Effect.die(full) : commit(steps, cursor)))
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          yield* Flow.quote(110)
          isFull = true
          // Closes the position at once, and cannot store it.
          const change = yield* Effect.fork(
            Flow.update(ann.account, ann.strategy, { sell_minprofitpercent: 1 })
          )
          yield* TestClock.adjust("1 seconds")
          yield* Fiber.interrupt(change)
          isFull = false
          yield* TestClock.adjust("2 seconds")
          const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
          expect(yield* Flow.became(ann.account, sell)).toEqual(["no_position"])
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 110 take_profit x1"
          ])
          const rules = yield* Flow.rulesOf(ann.account, ann.strategy)
          expect(rules.filter((rule) => rule === "closed")).toHaveLength(1)
          const portfolio = yield* Portfolio
          const fills = yield* portfolio.fills(ann.strategy)
          expect(new Set(fills.map(({ order }) => order)).size).toBe(fills.length)
        }),
        parts
      )
    })
  )
})

describe("deleting a strategy", () => {
  it.effect("closes its position at the entry price if there was no price since the start", () =>
    Effect.gen(function* () {
      const db = yield* file
      const ann = yield* Disk.bought(db, { taker_fee: 0 })
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* (yield* Strategies).remove(ann.account, ann.strategy)
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 100 strategy_deleted x1"
          ])
        })
      )
    })
  )

  it.effect("is refused on a full disk, and works when it is asked for again", () =>
    Effect.gen(function* () {
      let isFull = false
      const parts: Disk.Parts = {
        commit: (commit) => (steps, cursor) =>
          Effect.suspend(() => (isFull ? Effect.die(full) : commit(steps, cursor)))
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann({ taker_fee: 0 })
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const strategies = yield* Strategies
          isFull = true
          const ending = yield* Effect.fork(Effect.exit(strategies.remove(ann.account, ann.strategy)))
          yield* TestClock.adjust("6 seconds")
          expect(defectOf(yield* Fiber.join(ending))).toBeInstanceOf(StorageUnavailable)
          isFull = false
          yield* TestClock.adjust("2 seconds")
          yield* strategies.remove(ann.account, ann.strategy)
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 100 strategy_deleted x1"
          ])
          expect(yield* strategies.list(ann.account, {})).toEqual([])
        }),
        parts
      )
    })
  )
})

describe("a fault of ours", () => {
  it.effect("in one bot does not stop the others", () =>
    Effect.gen(function* () {
      const flawed = Layer.succeed(Performance, {
        begin,
        summary,
        add: (tally, trade) => {
          if (trade.proceeds.value > 0n && trade.entryPrice === 100) throw new Error("planted")
          return add(tally, trade)
        }
      })
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          yield* Flow.quote(100)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const other = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
          yield* Flow.quote(110)
          yield* Flow.say(ann.identity, ann.signal, "buy")
          const sell = yield* Flow.say(ann.identity, ann.signal, "sell")
          const outcomes = yield* (yield* Timeline).outcomes(ann.account, [sell])
          expect(outcomes.map(({ strategyId }) => strategyId)).toContain(other)
          expect((yield* Flow.tradesOf(other)).map(Flow.told)).toEqual(["long 9.0909 @ 110 -> 110 signal x1"])
          yield* Flow.quote(120)
          const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
          expect(yield* Flow.became(ann.account, buy)).toContain("opened")
          yield* TestClock.adjust("3 seconds")
          yield* Flow.quote(121)
          expect(yield* Flow.holds(other)).toHaveLength(1)
        }),
        { performance: flawed }
      )
    })
  )

  it.effect("that makes one bot's rows impossible to store stops only that bot", () =>
    Effect.gen(function* () {
      let cursed = 0
      const parts: Disk.Parts = {
        commit: (commit) => (steps, cursor) =>
          Effect.suspend(() =>
            steps.some(({ bot, orders }) => bot.strategy === cursed && orders.length > 0)
              ? Effect.dieMessage("planted")
              : commit(steps, cursor)
          )
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          const other = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
          yield* Flow.quote(100)
          cursed = ann.strategy
          const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
          const outcomes = yield* (yield* Timeline).outcomes(ann.account, [buy])
          expect(outcomes.map(({ strategyId }) => strategyId)).toEqual([other])
          expect(yield* Flow.holds(other)).toHaveLength(1)
          cursed = 0
          // It stands as it did before, judges the alert again, and trades on.
          yield* Flow.quote(101)
          expect(yield* Flow.became(ann.account, buy)).toEqual(["opened", "opened"])
          const again = yield* Flow.say(ann.identity, ann.signal, "buy")
          expect(yield* Flow.became(ann.account, again)).toEqual(["already_open", "already_open"])
          expect(yield* cursorOf(ann.account)).toBe(again)
        }),
        parts
      )
    })
  )
})

it.effect("creating a strategy under an Idempotency-Key does not wait for the bots", () =>
  Effect.gen(function* () {
    yield* Disk.run(
      yield* file,
      Effect.gen(function* () {
        const ann = yield* Flow.ann()
        const idempotency = yield* Idempotency
        yield* Flow.quote(100)
        const create = (key: string) =>
          idempotency.once(
            ann.account,
            key,
            "body",
            Effect.map(Flow.aStrategy(ann.account, { signal_id: ann.signal }), (id) => ({
              status: 201,
              location: undefined,
              body: String(id)
            }))
          )
        const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`)
        const types = keys.map((_, index) => (index % 2 === 0 ? ("buy" as const) : ("sell" as const)))
        yield* Effect.all(
          [
            Effect.forEach(keys, create, { concurrency: 5 }),
            Effect.forEach(types, (type) => Flow.send(ann.identity, ann.signal, type), { concurrency: 5 }),
            Effect.forEach([101, 102, 103], (price) => Flow.quote(price))
          ],
          { concurrency: "unbounded" }
        )
        yield* Flow.caughtUp
        expect(yield* (yield* StrategyStore).list(ann.account, {})).toHaveLength(21)
        expect(yield* (yield* Portfolio).waiting).toEqual([])
      })
    )
  })
)

describe("alerts without followers", () => {
  it.effect("make no step and no bot", () =>
    Effect.gen(function* () {
      let steps = 0
      const parts: Disk.Parts = {
        commit: (commit) => (made, cursor) =>
          Effect.suspend(() => {
            steps += made.length
            return commit(made, cursor)
          })
      }
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const ann = yield* Flow.ann()
          const lonely = yield* (yield* Signals).create(ann.account, aSignal())
          yield* Effect.forEach(
            Array.from({ length: 2_000 }),
            () => Flow.send(ann.identity, lonely.id, "buy"),
            { concurrency: "unbounded" }
          )
          yield* Flow.caughtUp
          expect([steps, yield* cursorOf(ann.account)]).toEqual([0, 2_000])
        }),
        parts
      )
    })
  )
})

const defectOf = (exit: Exit.Exit<unknown, unknown>): unknown =>
  Exit.isFailure(exit) ? Option.getOrUndefined(Cause.dieOption(exit.cause)) : undefined
