// The adversary: an account that sends all that the rates let through, all day, and one that closes again and again
// while there is no price. What it piles up has a bound; its exits go on, and nobody else notices.
import { describe, expect } from "bun:test"
import { join } from "node:path"
import { Effect, Layer, TestClock } from "effect"
import type { AccountId } from "../../src/domain/Account.ts"
import { AlertId } from "../../src/domain/Alert.ts"
import * as Memory from "../../src/Memory.ts"
import { type Bounds, DEFAULTS, EngineLimits, REMOTE } from "../../src/services/engine/EngineLimits.ts"
import type { Portfolio } from "../../src/services/Portfolio.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { slowly } from "../lib/slow.ts"
import { folder, sender } from "../services/ports.ts"

/** A moment shortly before midnight. */
const LATE = 86_400_000 - 5_000

const within = (bounds: Partial<Bounds>) => Effect.provideService(EngineLimits, { ...DEFAULTS, ...bounds })

/** Ann with two strategies, and Bob with one that follows her signal. */
const people = Effect.gen(function* () {
  const ann = yield* Flow.ann({ stop_loss: true, stop_loss_percentage: 5 })
  const second = yield* Flow.aStrategy(ann.account, { signal_id: ann.signal })
  const bob = yield* sender("bob")
  const his = yield* Flow.aStrategy(bob.account, { signal_id: ann.signal })
  yield* Flow.quote(100)
  return { ann, second, bob: bob.account, his }
})
type People = Effect.Effect.Success<typeof people>

const say = ({ ann }: People, type: "buy" | "sell") => Flow.say(ann.identity, ann.signal, type)

/** With a limit of five, two of Ann's three outcomes of the third alert are within it. */
const spend = (told: People) =>
  Effect.gen(function* () {
    yield* say(told, "buy")
    yield* say(told, "sell")
    return yield* say(told, "buy")
  })

/** The outcomes of an alert that Ann sees. */
const reasons = (account: AccountId, alert: number) => Flow.became(account, alert)

/** The outcomes of an alert that Bob sees. */
const his = ({ bob }: People, alert: number) =>
  Effect.map(
    Effect.flatMap(Timeline, (timeline) => timeline.outcomes(bob, [AlertId.make(alert)])),
    (outcomes) => outcomes.map(({ reason }) => reason)
  )

describe("a lane that leaves alerts in the journal", () => {
  const MANY = 40
  const judgedAtChange = (isFollower: boolean) =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      const idle = yield* Flow.aStrategy(ann.account)
      yield* Flow.quote(100)
      const alerts = yield* Effect.all(
        Array.from({ length: MANY }, () => Flow.send(ann.identity, ann.signal, "sell")),
        { concurrency: "unbounded" }
      )
      yield* Flow.update(ann.account, isFollower ? ann.strategy : idle, { name: "changed" })
      const timeline = yield* Timeline
      const judged = (yield* timeline.outcomes(ann.account, alerts)).length
      yield* Flow.caughtUp
      expect((yield* timeline.outcomes(ann.account, alerts)).length).toBe(MANY)
      return judged
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())), within({ tasksPerAccount: 4, tasksPerSlice: 1 }))

  it.effect("does not delay a change of a strategy that none of them concerns", () =>
    Effect.map(judgedAtChange(false), (judged) => expect(judged).toBeLessThan(MANY / 2))
  )

  it.effect("delays a change of a strategy until that has judged all of its own", () =>
    Effect.map(judgedAtChange(true), (judged) => expect(judged).toBe(MANY))
  )
})

describe("slices of alerts", () => {
  /** How many alerts each commit has, which takes 50 ms, but for the first and the last one. */
  const judgedByCommit = (many: number, bounds: Partial<Bounds>) =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* Flow.quote(100)
        for (let count = 0; count < many; count++) yield* Flow.send(ann.identity, ann.signal, "sell")
        yield* TestClock.adjust("1 minute")
      }).pipe(Effect.provide(Layer.fresh(slowly(sizes))), within(bounds))
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(many)
      return sizes.slice(1, -1)
    })

  it.effect("get smaller while commits take longer than they may", () =>
    Effect.map(judgedByCommit(400, { tasksPerSlice: 64, sliceMs: 20 }), (sizes) =>
      expect(Math.min(...sizes)).toBe(32)
    )
  )

  it.effect("never have more tasks than they may, however long a commit takes", () =>
    Effect.map(judgedByCommit(40, { tasksPerSlice: 8, sliceMs: 20 }), (sizes) =>
      expect(Math.max(...sizes)).toBe(8)
    )
  )

  it.effect(
    "grow while commits are quicker, as where a database server stores, which holds up no request",
    () =>
      Effect.map(judgedByCommit(1500, { sliceMs: REMOTE.sliceMs }), (sizes) =>
        expect(Math.max(...sizes)).toBeGreaterThan(200)
      )
  )
})

describe("an account's outcomes of a day", () => {
  const story = Effect.gen(function* () {
    const told = yield* people
    const { ann } = told
    const both = (alert: number) =>
      Effect.all([reasons(ann.account, alert), his(told, alert)], { concurrency: 1 })
    expect(yield* both(yield* spend(told))).toEqual([["opened", "too_many"], ["opened"]])
    // From here on entries are ignored, and closing alerts go on.
    expect(yield* both(yield* say(told, "buy"))).toEqual([["too_many", "too_many"], ["already_open"]])
    expect(yield* both(yield* say(told, "sell"))).toEqual([["closed", "no_position"], ["closed"]])
    expect(yield* Flow.preview(ann.identity, ann.signal, "buy")).toMatchObject([
      { reason: "too_many" },
      { reason: "too_many" }
    ])
    // The count begins anew with the next day.
    yield* TestClock.adjust("6 seconds")
    yield* Flow.quote(100)
    expect(yield* both(yield* say(told, "buy"))).toEqual([["opened", "opened"], ["opened"]])
  })

  it.effect(
    "are limited: further entries are ignored, closing alerts go on, and other accounts are unaffected",
    () =>
      Effect.zipRight(
        TestClock.setTime(LATE),
        Effect.provide(story, Layer.fresh(Memory.layer())).pipe(within({ outcomesPerDay: 5 }))
      )
  )

  it.effect("are limited on disk too", () =>
    Effect.gen(function* () {
      const db = join(yield* folder, "signalbox.db")
      yield* TestClock.setTime(LATE)
      yield* Disk.run(db, story).pipe(within({ outcomesPerDay: 5 }))
    })
  )

  it.effect("are not limited if the limit is 0", () =>
    Effect.gen(function* () {
      const told = yield* people
      expect(yield* reasons(told.ann.account, yield* spend(told))).toEqual(["opened", "opened"])
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())), within({ outcomesPerDay: 0 }))
  )

  it.effect("do not stop a stop loss when they have reached the limit", () =>
    Effect.gen(function* () {
      const told = yield* people
      yield* spend(told)
      yield* Flow.quote(90)
      expect((yield* Flow.tradesOf(told.ann.strategy)).map(Flow.told)).toEqual([
        "long 10 @ 100 -> 100 signal x1",
        "long 9.998 @ 100 -> 90 stop_loss x1"
      ])
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())), within({ outcomesPerDay: 5 }))
  )

  it.effect("are counted over restarts, those of deleted strategies included", () =>
    Effect.gen(function* () {
      const db = join(yield* folder, "signalbox.db")
      const told = yield* Disk.run(
        db,
        Effect.tap(people, (told) => say(told, "buy"))
      ).pipe(within({ outcomesPerDay: 5 }))
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(100)
          yield* say(told, "sell")
          yield* Flow.remove(told.ann.account, told.ann.strategy)
        })
      ).pipe(within({ outcomesPerDay: 5 }))
      yield* Disk.run(
        db,
        Effect.gen(function* () {
          yield* Flow.quote(100)
          expect(yield* reasons(told.ann.account, yield* say(told, "buy"))).toEqual(["opened"])
          yield* say(told, "sell")
          expect(yield* reasons(told.ann.account, yield* say(told, "buy"))).toEqual(["too_many"])
        })
      ).pipe(within({ outcomesPerDay: 5 }))
    })
  )

  it.effect("count once if they were judged but not stored before a kill", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const [db, killed] = [join(path, "signalbox.db"), join(path, "killed.db")]
      let commits = 0
      /** Copies the file just before the commit of the third alert's outcomes, as a kill would leave it. */
      const kill =
        (commit: (typeof Portfolio.Service)["commit"]): typeof commit =>
        (steps, cursors) => {
          if (steps.some(({ outcomes }) => outcomes.some(({ alertId }) => alertId === 3)) && commits++ === 0)
            Disk.copy(db, killed)
          return commit(steps, cursors)
        }
      const run = <A, E, R>(file: string, self: Effect.Effect<A, E, R>) =>
        Disk.run(file, self, { commit: kill }).pipe(within({ outcomesPerDay: 5 }))
      const ann = yield* run(
        db,
        Effect.gen(function* () {
          const told = yield* people
          const third = yield* spend(told)
          expect(yield* reasons(told.ann.account, third)).toEqual(["opened", "too_many"])
          return told.ann
        })
      )
      expect(commits).toBeGreaterThan(0)
      yield* run(
        killed,
        Effect.gen(function* () {
          yield* Flow.quote(100)
          yield* Flow.caughtUp
          expect(yield* reasons(ann.account, 3)).toEqual(["opened", "too_many"])
        })
      )
    })
  )
})

it.effect("beyond the outcomes of a day a turn closes, and opens nothing", () =>
  Effect.gen(function* () {
    const ann = yield* Flow.ann({ on_opposite: "reverse" })
    yield* Flow.quote(100, { kind: "swap" })
    const long = yield* Flow.say(ann.identity, ann.signal, "long")
    const short = yield* Flow.say(ann.identity, ann.signal, "short")
    expect([yield* reasons(ann.account, long), yield* reasons(ann.account, short)]).toEqual([
      ["opened"],
      ["closed"]
    ])
    expect(yield* Flow.holds(ann.strategy)).toEqual([])
  }).pipe(Effect.provide(Layer.fresh(Memory.layer())), within({ outcomesPerDay: 1 }))
)

describe("closing alerts that wait for a price", () => {
  it.effect(
    "are limited for each position: further ones could close nothing, and are ignored with that reason",
    () =>
      Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* Flow.quote(100)
        yield* Flow.say(ann.identity, ann.signal, "buy")
        yield* TestClock.adjust("1 minute")
        const alerts: Array<number> = []
        for (let i = 0; i < 20; i++) alerts.push(yield* Flow.say(ann.identity, ann.signal, "sell"))
        expect(yield* Flow.waitingIds).toEqual(alerts.slice(0, 8))
        expect(yield* reasons(ann.account, alerts[8] ?? 0)).toEqual(["pending_exit"])
        yield* Flow.quote(100)
        expect(yield* reasons(ann.account, alerts[0] ?? 0)).toEqual(["closed"])
        expect(yield* reasons(ann.account, alerts[1] ?? 0)).toEqual(["no_position"])
        expect(yield* Flow.waitingIds).toEqual([])
      }).pipe(Effect.provide(Layer.fresh(Memory.layer())))
  )

  it.effect("that close a part never stand in the way of one that closes all, and are limited too", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("1 minute")
      const parts: Array<number> = []
      for (let i = 0; i < 55; i++)
        parts.push(yield* Flow.say(ann.identity, ann.signal, "sell", { closePercent: 10 }))
      const all = yield* Flow.say(ann.identity, ann.signal, "sell")
      expect(yield* Flow.waitingIds).toEqual([...parts.slice(0, 50), all])
      expect(yield* reasons(ann.account, parts[50] ?? 0)).toEqual(["pending_exit"])
      yield* Flow.quote(100)
      yield* Flow.caughtUp
      expect(yield* reasons(ann.account, parts[0] ?? 0)).toEqual(["reduced"])
      expect(yield* reasons(ann.account, all)).toEqual(["closed"])
      expect(yield* Flow.holds(ann.strategy)).toEqual([])
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())))
  )

  it.effect("are turns too, of which a bounded number waits", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100, { kind: "swap" })
      yield* Flow.say(ann.identity, ann.signal, "short")
      yield* TestClock.adjust("1 minute")
      const turns: Array<number> = []
      for (let i = 0; i < 502; i++)
        turns.push(yield* Flow.say(ann.identity, ann.signal, "long", { reverse: true }))
      expect(yield* Flow.waitingIds).toEqual(turns.slice(0, 500))
      expect(yield* reasons(ann.account, turns[500] ?? 0)).toEqual(["pending_exit"])
      yield* TestClock.adjust("10 minutes")
      expect(yield* Flow.waitingIds).toHaveLength(500)
      yield* Flow.quote(100, { kind: "swap" })
      yield* Flow.caughtUp
      expect(yield* reasons(ann.account, turns[0] ?? 0)).toEqual(["closed"])
      expect(yield* Flow.holds(ann.strategy)).toEqual([])
      yield* TestClock.adjust("1 second")
      yield* Flow.caughtUp
      expect(yield* Flow.waitingIds).toEqual([])
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())))
  )

  it.effect("are kept behind a waiting entry, and none is left once the entries are given up", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann()
      yield* Flow.quote(100)
      yield* Flow.say(ann.identity, ann.signal, "buy")
      yield* TestClock.adjust("1 minute")
      for (let i = 0; i < 12; i++) {
        yield* Flow.say(ann.identity, ann.signal, "sell")
        yield* Flow.say(ann.identity, ann.signal, "buy")
      }
      expect(yield* Flow.waitingIds).toHaveLength(24)
      yield* TestClock.adjust("11 seconds")
      expect(yield* Flow.waitingIds).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
    }).pipe(Effect.provide(Layer.fresh(Memory.layer())))
  )
})
