import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { melting } from "../lib/melting.ts"
import { folder } from "./ports.ts"

// The adversary's bot comes to no end with an event: its balance in BTC melts at each look, so that its balance stop loss
// fires on every baseline that it sets. Ann trades in USDT beside it, and notices nothing.
const file = Effect.map(folder, (path) => join(path, "signalbox.db"))
const MELTING = { paper: { ...STARTING_BALANCES, BTC: melting() } }
const PAIR = { pair: "ETH/BTC" }

const asides = Effect.map(Meters, ({ engine }) => engine.reading()?.setAside)

/** Ann, and mallory's strategy that follows her signal. */
const people = Effect.gen(function* () {
  const ann = yield* Flow.ann({
    stop_loss: true,
    stop_loss_percentage: 5,
    exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
  })
  const mallory = yield* Flow.aStrategy(ann.account, {
    signal_id: ann.signal,
    default_quote_currency: "BTC",
    balance_stop_loss: true,
    balance_stop_loss_trigger: 0.01,
    balance_stop_loss_cooldown: 0,
    exchanges: [{ exchange_name: "binance", coin_pairs: ["ETH/BTC"] }]
  })
  return { ann, mallory }
})

/** Mallory's bot meets the event that it comes to no end with. */
const overrun = Effect.gen(function* () {
  const { ann, mallory } = yield* people
  yield* Flow.quote(100)
  yield* Flow.quote(0.05, PAIR)
  yield* Flow.say(ann.identity, ann.signal, "buy")
  const alert = yield* Flow.say(ann.identity, ann.signal, "buy", PAIR)
  return { ann, mallory, alert }
})

describe("a bot that decides on one event without end", () => {
  it.effect("is set aside and logged, and the others continue", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      yield* Disk.run(
        yield* file,
        Effect.gen(function* () {
          const { alert, ann, mallory } = yield* overrun
          expect(yield* asides).toEqual([mallory])
          expect(yield* Flow.rulesOf(ann.account, mallory)).toContain("set_aside")
          expect(
            logged.filter((line) => line.includes(`strategy ${mallory} made too many decisions`))
          ).toHaveLength(1)
          // Nothing of the event is kept, and the alert has its outcome.
          expect((yield* Flow.rulesOf(ann.account, mallory)).filter((rule) => rule === "rebased")).toEqual([])
          expect(yield* Flow.became(ann.account, alert)).toEqual(["pair_not_listed", "set_aside"])
          yield* Flow.quote(95)
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 95 stop_loss x1"
          ])
        }),
        MELTING
      ).pipe(Effect.provide(Logger.add(logger)))
    })
  )

  it.effect(
    "stays set aside over a restart: entries are ignored, and closing alerts wait without being lost",
    () =>
      Effect.gen(function* () {
        const db = yield* file
        const { ann, mallory } = yield* Disk.run(db, overrun, MELTING)
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            expect(yield* asides).toEqual([mallory])
            yield* Flow.quote(0.05, PAIR)
            const buy = yield* Flow.say(ann.identity, ann.signal, "buy", PAIR)
            const sell = yield* Flow.say(ann.identity, ann.signal, "sell", PAIR)
            expect(yield* Flow.became(ann.account, buy)).toEqual(["pair_not_listed", "set_aside"])
            expect(yield* Flow.became(ann.account, sell)).toEqual(["pair_not_listed"])
            expect(yield* Flow.waitingIds).toEqual([sell])
            yield* Flow.update(ann.account, mallory, { balance_stop_loss: false })
            expect(yield* asides).toEqual([])
            expect(yield* Flow.waitingIds).toEqual([])
            expect(yield* Flow.became(ann.account, sell)).toEqual(["pair_not_listed", "no_position"])
            expect((yield* Flow.rulesOf(ann.account, mallory)).at(-2)).toBe("taken_back")
            yield* Flow.quote(0.05, PAIR)
            const again = yield* Flow.say(ann.identity, ann.signal, "buy", PAIR)
            expect(yield* Flow.became(ann.account, again)).toEqual(["pair_not_listed", "opened"])
          })
        )
      })
  )

  it.effect("comes back when the server is started with it, and can be deleted", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { ann, mallory } = yield* Disk.run(db, overrun, MELTING)
      yield* Disk.run(
        db,
        Effect.map(asides, (ids) => expect(ids).toEqual([])),
        { with: [mallory] }
      )
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* asides).toEqual([mallory])
          yield* (yield* Strategies).remove(ann.account, mallory)
          expect(yield* asides).toEqual([])
        }),
        { without: [mallory, 99] }
      )
    })
  )
})

it.effect(
  "a server can start without a strategy, and its positions stay untouched until it has new settings",
  () =>
    Effect.gen(function* () {
      const db = yield* file
      const ann = yield* Disk.bought(db, { stop_loss: true, stop_loss_percentage: 5 })
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(90)
          expect(yield* Flow.holds(ann.strategy)).toEqual(["BTC/USDT spot long 10 @ 100"])
          yield* Flow.update(ann.account, ann.strategy, { name: "back" })
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toEqual([
            "long 10 @ 100 -> 90 stop_loss x1"
          ])
        }),
        { without: [ann.strategy] }
      )
    })
)

it.effect("a strategy that is set aside can be deleted with its positions", () =>
  Effect.gen(function* () {
    const db = yield* file
    const ann = yield* Disk.bought(db)
    yield* Disk.run(
      db,
      Effect.gen(function* () {
        yield* Flow.quote(90)
        yield* (yield* Strategies).remove(ann.account, ann.strategy)
        expect((yield* Flow.tradesOf(ann.strategy)).map(({ exitReason }) => exitReason)).toEqual([
          "strategy_deleted"
        ])
      }),
      { without: [ann.strategy] }
    )
  })
)
