// A database with a venue that the server does not list: the server of an embedder wrote it, and another opens it.

import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Logger } from "effect"
import { Meters } from "../../src/services/health/Meters.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Own from "../lib/ownVenue.ts"
import { folder } from "../services/ports.ts"

const file = Effect.map(folder, (path) => join(path, "signalbox.db"))
const asides = Effect.map(Meters, ({ engine }) => engine.reading()?.setAside)
const EMBEDDED = { own: true }
const PAIR = { pair: "BTC/CHF" }
const TEXT =
  "Set aside, because this server does not list my-dex and CHF: the bot does nothing until it does, or until the strategy has settings without it."

/** Ann's bot holds a position at my-dex, bob's strategy there has had no alert, and carol trades at Binance. */
const written = Effect.gen(function* () {
  const ann = yield* Flow.ann({ ...Own.settings, stop_loss: true, stop_loss_percentage: 5 })
  const bob = yield* Flow.user("bob", Own.settings)
  const carol = yield* Flow.user("carol")
  yield* Flow.quote(100, Own.AT)
  yield* Flow.say(ann.identity, ann.signal, "buy", PAIR)
  expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
  return { ann, bob, carol }
})

const noteOf = (of: Effect.Effect.Success<typeof written>["ann"]) =>
  Effect.flatMap(Timeline, (timeline) =>
    Effect.map(
      timeline.list(of.account, of.strategy, { limit: 100 }),
      (rows) => rows.find(({ rule }) => rule === "set_aside")?.text
    )
  )

describe("a strategy with a venue that the server does not list", () => {
  it.effect("is set aside with the reason, and all others trade", () =>
    Effect.gen(function* () {
      const db = yield* file
      const logged: Array<string> = []
      const logger = Logger.make(({ message }) => void logged.push(String(message)))
      const { ann, bob, carol } = yield* Disk.run(db, written, EMBEDDED)
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* asides).toEqual([ann.strategy, bob.strategy])
          expect([yield* noteOf(ann), yield* noteOf(bob), yield* noteOf(carol)]).toEqual([
            TEXT,
            TEXT,
            undefined
          ])
          // Its stop loss would have sold: it does nothing, whatever the price.
          yield* Flow.quote(50, Own.AT)
          expect(yield* Flow.holds(ann.strategy)).toHaveLength(1)
          const alert = yield* Flow.say(ann.identity, ann.signal, "buy", PAIR)
          expect(yield* Flow.became(ann.account, alert)).toEqual(["set_aside"])
          const [preview] = yield* Flow.preview(bob.identity, bob.signal, "buy", PAIR)
          expect(preview?.reason).toBe("set_aside")
          const view = yield* (yield* Strategies).get(ann.account, ann.strategy)
          expect(view).toMatchObject({ default_exchange_name: "my-dex", default_quote_currency: "CHF" })
          yield* Flow.quote(100)
          const other = yield* Flow.say(carol.identity, carol.signal, "buy")
          expect(yield* Flow.became(carol.account, other)).toEqual(["opened"])
        })
      ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      expect(logged).toContain(
        `this server does not list my-dex and CHF, so strategies do nothing: ${ann.strategy}, ${bob.strategy}`
      )
    })
  )

  it.effect("is noted once, keeps its name when it is renamed, and continues where it is listed again", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { ann } = yield* Disk.run(db, written, EMBEDDED)
      yield* Disk.run(db, Flow.update(ann.account, ann.strategy, { name: "Other" }))
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          const rules = yield* Flow.rulesOf(ann.account, ann.strategy)
          expect(rules.filter((rule) => rule === "set_aside" || rule === "taken_back")).toEqual(["set_aside"])
        })
      )
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* asides).toEqual([])
          yield* Flow.quote(94, Own.AT)
          expect((yield* Flow.tradesOf(ann.strategy)).map(Flow.told)).toHaveLength(1)
          expect(yield* Flow.rulesOf(ann.account, ann.strategy)).toContain("taken_back")
        }),
        EMBEDDED
      )
    })
  )

  it.effect("continues with settings that name only what is listed", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { bob } = yield* Disk.run(db, written, EMBEDDED)
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.update(bob.account, bob.strategy, {
            default_exchange_name: "binance",
            default_quote_currency: "USDT",
            exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
          })
          expect(yield* asides).not.toContain(bob.strategy)
          yield* Flow.quote(100)
          const alert = yield* Flow.say(bob.identity, bob.signal, "buy")
          expect(yield* Flow.became(bob.account, alert)).toEqual(["opened"])
        })
      )
    })
  )

  it.effect("goes on where its bot trades with real money, so that positions keep their exits", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { ann, bob } = yield* Disk.run(db, written, EMBEDDED)
      const database = new Database(db)
      const terms = { account: 1, capital: "10000", maxOrder: "10000", maxDailyLoss: "10000", protect: false }
      database.run("UPDATE bots SET state = json_set(state, '$.live', json(?)) WHERE strategy_id = ?", [
        JSON.stringify({ ...terms, tag: "tag", since: 0 }),
        ann.strategy
      ])
      database.close()
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* asides).toEqual([bob.strategy])
          yield* Flow.quote(94, Own.AT)
          expect(yield* Flow.tradesOf(ann.strategy)).toHaveLength(1)
        })
      )
    })
  )

  it.effect("is one that trades there, not one that merely prefers what it does not list", () =>
    Effect.gen(function* () {
      const db = yield* file
      const listing = { exchange_name: "binance" as const, coin_pairs: ["BTC/USDT"] }
      const preferring = Flow.ann({ default_exchange_name: Own.MY_DEX, exchanges: [listing] })
      const ann = yield* Disk.run(db, preferring, EMBEDDED)
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          expect(yield* asides).toEqual([])
          yield* Flow.quote(100)
          const alert = yield* Flow.say(ann.identity, ann.signal, "buy")
          expect(yield* Flow.became(ann.account, alert)).toEqual(["opened"])
        })
      )
    })
  )

  it.effect("can be deleted", () =>
    Effect.gen(function* () {
      const db = yield* file
      const { bob } = yield* Disk.run(db, written, EMBEDDED)
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.remove(bob.account, bob.strategy)
          expect(yield* asides).not.toContain(bob.strategy)
        })
      )
    })
  )
})
