// The adversary: two servers on one database, each with some of the partitions, which both do what must be done once, or
// neither; and partitions that change hands in the middle of it.
import { describe, expect } from "bun:test"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import type { Position } from "../../src/domain/Event.ts"
import { type Partition, partitionOf, partitions } from "../../src/domain/Partition.ts"
import { Events } from "../../src/services/Events.ts"
import * as EnginePartitions from "../../src/services/engine/EnginePartitions.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Commands } from "../../src/services/money/Commands.ts"
import { Outbound } from "../../src/services/notify/Outbound.ts"
import { Targets } from "../../src/services/notify/Targets.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import { isInstalled } from "../lib/postgres/Database.ts"
import { sender } from "../services/ports.ts"
import { hand, type Node, twoServers } from "./lib/TwoServers.ts"

/** Waits until something holds, for at most some seconds. */
const eventually = (isSo: Effect.Effect<boolean>, ms = 5_000) =>
  Effect.gen(function* () {
    for (const began = performance.now(); performance.now() - began < ms && !(yield* isSo); )
      yield* Effect.sleep(10)
  })

/** Takes what both servers post, slowly, as receivers do. */
const receiver = () => {
  const ids: Array<string> = []
  const layer = Layer.succeed(Outbound, {
    post: ({ headers }) =>
      Effect.gen(function* () {
        yield* Effect.sleep("20 millis")
        ids.push(headers["webhook-id"] ?? "")
        return { status: 200, retryAfterSeconds: 0, text: "" }
      })
  })
  return { ids, layer }
}

/** Ann, whose bots run on the second server, and Bob, whose bots run on the first. */
const people = (a: Node, b: Node) =>
  Effect.gen(function* () {
    const ann = yield* b.on(Flow.user("ann"))
    const bob = yield* a.on(Flow.user("bob", { signal_id: ann.signal }))
    return { ann, bob }
  })

describe.skipIf(!isInstalled)("two servers on one database", () => {
  it.live(
    "judge an alert that either took in once for each follower, on the follower's server",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers()
        const { ann, bob } = yield* people(a, b)
        for (const node of [a, b]) yield* node.on(Flow.quote(100))
        // Taken in where neither of the two has its only follower.
        const buy = yield* a.on(Flow.send(ann.identity, ann.signal, "buy"))
        yield* eventually(
          Effect.zipWith(
            Flow.holds(ann.strategy),
            Flow.holds(bob.strategy),
            (one, other) => one.length + other.length === 2
          ).pipe(a.on, Effect.orDie)
        )
        expect(yield* a.on(Flow.became(ann.account, buy))).toEqual(["opened"])
        expect(yield* b.on(Flow.rulesOf(bob.account, bob.strategy))).toContain("opened")
        const sell = yield* b.on(Flow.send(ann.identity, ann.signal, "sell"))
        yield* eventually(
          Effect.zipWith(
            Flow.tradesOf(ann.strategy),
            Flow.tradesOf(bob.strategy),
            (one, other) => one.length + other.length === 2
          ).pipe(b.on)
        )
        expect(yield* a.on(Flow.became(ann.account, sell))).toEqual(["closed"])
        expect(yield* b.on(Flow.rulesOf(bob.account, bob.strategy))).toEqual(
          yield* a.on(Flow.rulesOf(ann.account, ann.strategy))
        )
      }),
    60_000
  )

  it.live(
    "rest while they have no partitions, whatever alerts others take in, and judge once they have some again",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers()
        const ann = yield* b.on(Flow.user("ann"))
        for (const node of [a, b]) yield* node.on(Flow.quote(100))
        const turnsOf = ({ on }: Node) => on(Effect.map(Meters, ({ engine }) => engine.turns))
        yield* hand(b, a, [...(yield* b.partitions.held)])
        const before = yield* turnsOf(b)
        const buy = yield* a.on(Flow.send(ann.identity, ann.signal, "buy"))
        yield* eventually(a.on(Effect.map(Flow.became(ann.account, buy), ({ length }) => length > 0)))
        yield* Effect.sleep("500 millis")
        expect((yield* turnsOf(b)) - before).toBeLessThan(20)
        expect(yield* a.on(Flow.became(ann.account, buy))).toEqual(["opened"])
        yield* hand(a, b, [partitionOf(ann.account)])
        const sell = yield* a.on(Flow.send(ann.identity, ann.signal, "sell"))
        yield* eventually(b.on(Effect.map(Flow.tradesOf(ann.strategy), ({ length }) => length === 1)))
        expect(yield* b.on(Flow.became(ann.account, sell))).toEqual(["closed"])
      }),
    60_000
  )

  it.live(
    "deliver each event to a target once, while its partition changes hands in the middle of deliveries",
    () =>
      Effect.gen(function* () {
        const { ids, layer } = receiver()
        const { a, b } = yield* twoServers({ outbound: layer })
        const ann = yield* b.on(Flow.user("ann"))
        const home = partitionOf(ann.account)
        const channel = { kind: "webhook", url: "https://a.example/", secret: SECRET } as const
        yield* a.on(
          Effect.flatMap(Events, ({ head }) =>
            Effect.flatMap(head, (from) =>
              Effect.flatMap(Targets, ({ create }) =>
                create(ann.account, { name: "x", channel, kinds: ["alert_received"] }, from)
              )
            )
          )
        )
        const COUNT = 60
        const sending = yield* Effect.fork(
          Effect.forEach(Array.from({ length: COUNT }), (_, index) =>
            Effect.zipRight(
              Effect.sleep("15 millis"),
              (index % 2 === 0 ? a : b).on(Flow.send(ann.identity, ann.signal, "buy"))
            )
          )
        )
        let [from, to] = [b, a]
        for (let round = 0; round < 6; round++) {
          yield* Effect.sleep("200 millis")
          yield* hand(from, to, [home])
          ;[from, to] = [to, from]
        }
        const alerts = yield* Fiber.join(sending)
        yield* eventually(
          Effect.sync(() => ids.length >= COUNT),
          10_000
        )
        yield* Effect.sleep("500 millis")
        expect(alerts.length).toBe(COUNT)
        expect(ids.length).toBe(COUNT)
        expect(new Set(ids).size).toBe(COUNT)
      }),
    60_000
  )

  it.live(
    "read an account's events on, without loss or repeat, wherever the stream goes on",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers()
        const { ann } = yield* people(a, b)
        for (const node of [a, b]) yield* node.on(Flow.quote(100))
        const sending = yield* Effect.fork(
          Effect.forEach(Array.from({ length: 40 }), (_, index) =>
            (index % 2 === 0 ? a : b).on(Flow.send(ann.identity, ann.signal, index % 4 < 2 ? "buy" : "sell"))
          )
        )
        const seen: Array<string> = []
        let position: Position = { entry: 0, alert: 0 }
        const read = (node: Node) =>
          Effect.gen(function* () {
            const events = Context.get(node.context, Events)
            yield* Effect.timeoutOption(events.arrival?.(position) ?? Effect.void, "300 millis")
            const stretch = yield* events.after(ann.account, position, 7)
            seen.push(...stretch.events.map(({ event }) => event.id))
            position = stretch.position
          })
        for (let round = 0; round < 30; round++) yield* read(round % 2 === 0 ? a : b)
        yield* Fiber.join(sending)
        yield* b.on(Flow.caughtUp)
        for (let round = 0; round < 20; round++) yield* read(round % 2 === 0 ? a : b)
        const events = Context.get(a.context, Events)
        const all = yield* events.after(ann.account, { entry: 0, alert: 0 }, 10_000)
        expect(new Set(seen).size).toBe(seen.length)
        expect([...seen].sort()).toEqual(all.events.map(({ event }) => event.id).sort())
      }),
    60_000
  )

  it.live("store an answer under an idempotency key once, where both get the key in one moment", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoServers()
      const ann = yield* a.on(sender("ann"))
      let made = 0
      const create = (key: string) =>
        Effect.flatMap(Idempotency, (keys) =>
          keys.once(
            ann.account,
            key,
            "the same",
            Effect.sync(() => ({ status: 201, location: undefined, body: String(++made) }))
          )
        )
      for (let round = 0; round < 10; round++) {
        const answers = yield* Effect.all(
          [a, b, a, b].map((node) => node.on(create(`key ${round}`))),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
      }
    })
  )

  it.live(
    "carry out a command once, on the server of its account",
    () =>
      Effect.gen(function* () {
        const { a, b } = yield* twoServers()
        const { ann } = yield* people(a, b)
        yield* b.on(Flow.quote(100))
        const commands = Context.get(a.context, Commands)
        const left = yield* commands.leave(ann.account, ann.strategy, {
          ...{ _tag: "Disarm", close: false, forget: false }
        })
        yield* eventually(Effect.map(commands.answerOf(left.id), Option.isSome))
        expect(Option.isSome(yield* commands.answerOf(left.id))).toBe(true)
      }),
    60_000
  )

  it.live("do what concerns no account on one of them, which changes with the first partition", () =>
    Effect.gen(function* () {
      const { a, b } = yield* twoServers()
      let running: ReadonlyArray<string> = []
      let most = 0
      for (const node of [a, b]) {
        const job = Effect.acquireUseRelease(
          Effect.sync(() => {
            running = [...running, node.name]
            most = Math.max(most, running.length)
          }),
          () => Effect.never,
          () =>
            Effect.zipRight(
              Effect.sleep("50 millis"),
              Effect.sync(() => {
                running = running.filter((name) => name !== node.name)
              })
            )
        )
        yield* node.on(EnginePartitions.whileFirst(job))
      }
      expect(running).toEqual([a.name])
      yield* hand(a, b, [EnginePartitions.FIRST])
      yield* eventually(Effect.sync(() => running.length === 1))
      expect(running).toEqual([b.name])
      yield* hand(
        b,
        a,
        partitions.filter((id): id is Partition => id < 4)
      )
      yield* eventually(Effect.sync(() => running.length === 1))
      expect(running).toEqual([a.name])
      expect(most).toBe(1)
    })
  )
})

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
