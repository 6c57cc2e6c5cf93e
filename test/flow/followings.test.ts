// The adversary: owners who delete, hide, attach, detach and create while answered alerts are still to be judged. Each
// alert has exactly one outcome for each strategy that followed when it was answered, and none for any other.
import { describe, expect } from "bun:test"
import { Effect, Fiber, Layer } from "effect"
import type { AccountId, Identity } from "../../src/domain/Account.ts"
import type { AlertId } from "../../src/domain/Alert.ts"
import type { SignalId } from "../../src/domain/Signal.ts"
import type { StrategyId } from "../../src/domain/StrategyId.ts"
import * as Memory from "../../src/Memory.ts"
import type { Alerts } from "../../src/services/Alerts.ts"
import type { Bots } from "../../src/services/Bots.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { Signals } from "../../src/services/Signals.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { Timeline } from "../../src/services/Timeline.ts"
import * as Disk from "../lib/disk.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { chosen, onEach } from "../lib/storages.ts"
import { aSignal, sender } from "../services/ports.ts"

const ALERTS = 300
/** Fewer alerts on disk, because each one is a commit. */
const ON_DISK = 60

type CommitOf = (typeof Portfolio.Service)["commit"]

/** Lets other fibers run. */
const yields = Effect.repeatN(Effect.yieldNow(), 20)

/** A disk that can be held up, so that the engine's decisions have to wait; `pause` lets other fibers run until they do. */
const slowDisk = (pause: Effect.Effect<void> = yields) => {
  const latch = Effect.unsafeMakeLatch(true)
  const around =
    (commit: CommitOf): CommitOf =>
    (steps, cursor) =>
      latch.whenOpen(commit(steps, cursor))
  return { latch, around, pause }
}
type Slow = ReturnType<typeof slowDisk>

interface Scene {
  readonly ann: Flow.User
  readonly bob: Identity
  /** Another public signal of Ann's. */
  readonly other: SignalId
  /** Strategies of Ann and Bob that follow the signal from the first alert on. */
  readonly hers: StrategyId
  readonly his: StrategyId
  /** A strategy of Bob's without a signal. */
  readonly idle: StrategyId
}

interface Change {
  readonly name: string
  readonly make: (
    scene: Scene
  ) => Effect.Effect<unknown, unknown, Signals | Strategies | Bots | Portfolio | Timeline>
  /** The strategies that act on alerts after the change. */
  readonly after: (scene: Scene) => ReadonlyArray<StrategyId>
}

const update = (owner: AccountId, strategy: StrategyId, changes: Flow.Body) =>
  Flow.update(owner, strategy, changes)

const CHANGES: ReadonlyArray<Change> = [
  {
    name: "the signal is deleted",
    make: ({ ann }) => Effect.flatMap(Signals, (signals) => signals.remove(ann.account, ann.signal)),
    after: () => []
  },
  {
    name: "the signal is made private",
    make: ({ ann }) =>
      Effect.flatMap(Signals, (signals) => signals.update(ann.account, ann.signal, { public: false })),
    after: ({ hers }) => [hers]
  },
  {
    name: "the signal is made private and public again, and followed anew",
    make: ({ ann, bob, his }) =>
      Effect.gen(function* () {
        const signals = yield* Signals
        yield* signals.update(ann.account, ann.signal, { public: false })
        yield* signals.update(ann.account, ann.signal, { public: true })
        yield* update(bob.account, his, { signal_id: ann.signal })
      }),
    after: ({ hers, his }) => [hers, his]
  },
  {
    name: "the signal is switched off",
    make: ({ ann }) =>
      Effect.flatMap(Signals, (signals) => signals.update(ann.account, ann.signal, { active: false })),
    after: ({ hers, his }) => [hers, his]
  },
  {
    name: "a strategy lets go",
    make: ({ bob, his }) => update(bob.account, his, { signal_id: null }),
    after: ({ hers }) => [hers]
  },
  {
    name: "a strategy follows another signal",
    make: ({ bob, his, other }) => update(bob.account, his, { signal_id: other }),
    after: ({ hers }) => [hers]
  },
  {
    name: "a strategy begins to follow",
    make: ({ ann, bob, idle }) => update(bob.account, idle, { signal_id: ann.signal }),
    after: ({ hers, his, idle }) => [hers, his, idle]
  },
  {
    name: "a strategy is deleted",
    make: ({ bob, his }) => Effect.flatMap(Strategies, (strategies) => strategies.remove(bob.account, his)),
    after: ({ hers }) => [hers]
  }
]

const scene = Effect.gen(function* () {
  const ann = yield* Flow.ann()
  const bob = yield* sender("bob")
  const { id: other } = yield* (yield* Signals).create(ann.account, aSignal({ public: true }))
  const his = yield* Flow.aStrategy(bob.account, { signal_id: ann.signal })
  const idle = yield* Flow.aStrategy(bob.account)
  yield* Flow.quote(100)
  return { ann, bob, other, hers: ann.strategy, his, idle } satisfies Scene
})

const sendAll = ({ ann }: Scene, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? "buy" : "sell")),
    (type) => Flow.send(ann.identity, ann.signal, type),
    { concurrency: "unbounded" }
  )

/** Sends alerts while the engine cannot store its first outcome, so that it has not read the later ones. */
const sendUnjudged = (slow: Slow, told: Scene, count: number) =>
  Effect.gen(function* () {
    slow.latch.unsafeClose()
    const first = yield* sendAll(told, 1)
    yield* slow.pause
    return [...first, ...(yield* sendAll(told, count - 1))]
  })

/** The number of these alerts for which each strategy has an outcome. */
const judgedBy = ({ ann, bob }: Scene, alerts: ReadonlyArray<AlertId>) =>
  Effect.gen(function* () {
    const timeline = yield* Timeline
    const outcomes = [
      ...(yield* timeline.outcomes(ann.account, alerts)),
      ...(yield* timeline.outcomes(bob.account, alerts))
    ]
    const counts: Record<number, number> = {}
    for (const { strategyId } of outcomes) counts[strategyId] = (counts[strategyId] ?? 0) + 1
    return counts
  })

const each = (strategies: ReadonlyArray<StrategyId>, count: number) =>
  Object.fromEntries(strategies.map((id) => [id, count]))

/** Sends alerts that stay unjudged, makes the change, and sends alerts after it. */
const story = (slow: Slow, change: Change, count: number, meanwhile: Effect.Effect<void> = Effect.void) =>
  Effect.gen(function* () {
    const told = yield* scene
    const before = yield* sendUnjudged(slow, told, count)
    const changing = yield* Effect.fork(change.make(told))
    yield* slow.pause
    yield* meanwhile
    slow.latch.unsafeOpen()
    yield* Fiber.join(changing)
    // A refused alert has no outcomes.
    const after = yield* Effect.option(sendAll(told, 10))
    yield* Flow.caughtUp
    expect(yield* judgedBy(told, before)).toEqual(each([told.hers, told.his], count))
    if (after._tag === "Some")
      expect(yield* judgedBy(told, after.value)).toEqual(each(change.after(told), 10))
    expect(yield* Flow.waitingIds).toEqual([])
    return { told, before }
  })

describe("each alert in memory reaches the strategies that followed when it was answered, even if", () => {
  for (const change of CHANGES)
    it.effect(change.name, () => {
      const slow = slowDisk()
      const portfolio = Layer.effect(
        Portfolio,
        Effect.map(Portfolio, (inner) => ({ ...inner, commit: slow.around(inner.commit) }))
      )
      return Effect.provide(story(slow, change, ALERTS), Layer.fresh(Memory.layerWith(portfolio)))
    })
})

onEach((storage) => {
  describe("each alert reaches the strategies that followed when it was answered, even if the server is killed and", () => {
    for (const change of chosen(storage, CHANGES, 3))
      storage.effect(change.name, () =>
        Effect.gen(function* () {
          const { copy, db } = yield* storage.place
          const slow = slowDisk(storage.pause)
          let killed = ""
          const kill = Effect.map(copy, (file) => {
            killed = file
          })
          const { before, told } = yield* Disk.run(db, story(slow, change, ON_DISK, kill), {
            commit: slow.around
          })
          yield* Disk.run(
            killed,
            Effect.gen(function* () {
              yield* Flow.caughtUp
              yield* Flow.quote(100)
              yield* Flow.caughtUp
              expect(yield* judgedBy(told, before)).toEqual(each([told.hers, told.his], ON_DISK))
            })
          )
        })
      )
  })

  describe("a strategy created after an alert", () => {
    storage.effect("does not act on it, not even within the same second", () =>
      Effect.gen(function* () {
        const { db } = yield* storage.place
        const slow = slowDisk(storage.pause)
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            const told = yield* scene
            const before = yield* sendUnjudged(slow, told, ON_DISK)
            const late = yield* Flow.aStrategy(told.ann.account, { signal_id: told.ann.signal })
            const after = yield* sendAll(told, 10)
            slow.latch.unsafeOpen()
            yield* Flow.caughtUp
            expect(yield* judgedBy(told, before)).toEqual(each([told.hers, told.his], ON_DISK))
            expect(yield* judgedBy(told, after)).toEqual(each([told.hers, told.his, late], 10))
          }),
          { commit: slow.around }
        )
      })
    )
  })

  describe("a strategy that is deleted while alerts come in", () => {
    storage.effect("has judged every alert that was answered before its deletion", () =>
      Effect.gen(function* () {
        const { db } = yield* storage.place
        let more = Effect.void
        let left = 0
        const eager =
          (commit: CommitOf): CommitOf =>
          (steps, cursor) =>
            Effect.zipLeft(
              commit(steps, cursor),
              Effect.suspend(() => (left-- > 0 ? more : Effect.void))
            )
        yield* Disk.run(
          db,
          Effect.gen(function* () {
            const told = yield* scene
            const alerts = [...(yield* sendAll(told, 1))]
            yield* Flow.caughtUp
            expect(yield* Flow.holds(told.hers)).toHaveLength(1)
            const context = yield* Effect.context<Alerts>()
            more = Flow.send(told.ann.identity, told.ann.signal, "buy").pipe(
              Effect.andThen((id) => Effect.sync(() => alerts.push(id))),
              Effect.asVoid,
              Effect.orDie,
              Effect.provide(context)
            )
            left = 5
            yield* (yield* Strategies).remove(told.ann.account, told.hers)
            expect(left).toBeLessThanOrEqual(0)
            yield* Flow.caughtUp
            expect(yield* judgedBy(told, alerts)).toEqual(each([told.hers, told.his], alerts.length))
            expect((yield* Flow.tradesOf(told.hers)).length).toBeGreaterThan(1)
          }),
          { commit: eager }
        )
      })
    )
  })
})
