// The bots of several nodes. The adversaries: an owner that stands still, one that loses its lease while it works, one whose
// connection breaks after the request, and partitions that move while requests come.
import { describe, expect } from "bun:test"
import { Deferred, Duration, Effect, Exit, Fiber, Option } from "effect"
import { Pair } from "../../src/domain/Market.ts"
import { partitionOf } from "../../src/domain/Partition.ts"
import type { ManualOrder } from "../../src/domain/position/ManualOrder.ts"
import { Bots } from "../../src/services/Bots.ts"
import * as ManualForms from "../../src/services/engine/orders/ManualForms.ts"
import { StorageUnavailable } from "../../src/services/records/StorageUnavailable.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"
import * as Engines from "./lib/engines.ts"

const reasonOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && exit.cause._tag === "Die" && exit.cause.defect instanceof StorageUnavailable
    ? exit.cause.defect.reason
    : String(exit)

/** What the caller reads. */
const adviceOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.isFailure(exit) && exit.cause._tag === "Die" && exit.cause.defect instanceof StorageUnavailable
    ? exit.cause.defect.message
    : String(exit)

const close: ManualOrder = {
  exchange: "binance",
  pair: Pair.make("BTC/USDT"),
  act: { _tag: "Close", percent: 100 }
}
const stand = (ann: Flow.User) =>
  Effect.gen(function* () {
    const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    return yield* (yield* Bots).stand(strategy)
  })
const closed = (ann: Flow.User) =>
  Effect.gen(function* () {
    const strategy = yield* (yield* StrategyStore).get(ann.account, ann.strategy)
    return yield* (yield* Bots).byHand(strategy, close, { form: ManualForms.text })
  })
/** Ann, whose bot at this node has bought. */
const bought = (cluster: Engines.Cluster, node: number) =>
  Effect.gen(function* () {
    const ann = yield* Engines.at(cluster, node, Flow.ann())
    yield* Engines.at(cluster, node, Flow.quote(100))
    yield* Engines.at(cluster, node, Flow.say(ann.identity, ann.signal, "buy"))
    return ann
  })
const seconds = (took: Duration.Duration) => Duration.toSeconds(took)

describe("an owner that stands still", () => {
  it.live(
    "is given up after five seconds with storage that is away, and what it does later is not asked for again",
    () =>
      Effect.gen(function* () {
        const gate = yield* Effect.makeLatch(false)
        let asked = 0
        const cluster = yield* Engines.make({
          served: (bots) => ({
            ...bots,
            byHand: (...args) =>
              Effect.zipRight(
                Effect.sync(() => asked++),
                gate.whenOpen(bots.byHand(...args))
              )
          })
        })
        yield* cluster.give(1)
        const ann = yield* bought(cluster, 1)
        const [took, exit] = yield* Effect.timed(Effect.exit(Engines.at(cluster, 0, closed(ann))))
        expect(reasonOf(exit)).toBe("the node that runs the bots of this account does not answer")
        expect(adviceOf(exit)).toContain("see what was done before you ask again")
        expect(seconds(took)).toBeGreaterThan(4.5)
        expect(seconds(took)).toBeLessThan(7)
        yield* Effect.sleep("300 millis")
        yield* gate.open
        yield* Effect.sleep("300 millis")
        expect(asked).toBe(1)
        // The caller has gone: what it gave up is not begun later.
        expect(yield* Engines.at(cluster, 1, Flow.holds(ann.strategy))).toHaveLength(1)
      }),
    20_000
  )
})

it.live(
  "bots of this node that do not answer in time end a request in the same way, because it may have begun",
  () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make({
        local: (bots) => ({ ...bots, byHand: () => Effect.never })
      })
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      const exit = yield* Effect.exit(Engines.at(cluster, 1, closed(ann)))
      expect(reasonOf(exit)).toContain("they have not answered in time")
      expect(adviceOf(exit)).toContain("see what was done before you ask again")
    }),
  20_000
)

describe("an owner that loses its lease while it works", () => {
  it.live("does not answer a read from its memory: the new owner does", () =>
    Effect.gen(function* () {
      const entered = yield* Deferred.make<void>()
      const gate = yield* Effect.makeLatch(false)
      const readers: Array<number> = []
      const cluster = yield* Engines.make({
        nodes: 3,
        served: (bots, node) => ({
          ...bots,
          stand: (strategy) =>
            Effect.gen(function* () {
              readers.push(node)
              const read = yield* bots.stand(strategy)
              yield* Deferred.succeed(entered, undefined)
              yield* gate.await
              return read
            })
        })
      })
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      const asking = yield* Effect.fork(Engines.at(cluster, 0, stand(ann)))
      yield* Deferred.await(entered)
      yield* cluster.give(2, [partitionOf(ann.account)])
      yield* gate.open
      const { state } = yield* Fiber.join(asking)
      expect(Object.keys(state.slots)).toEqual(["binance:BTC/USDT:spot"])
      expect(readers).toEqual([1, 2])
    })
  )

  it.live("says after a change that nobody knows what was done, and nothing is done twice", () =>
    Effect.gen(function* () {
      let acted = 0
      const cluster: Engines.Cluster = yield* Engines.make({
        served: (bots, node) => ({
          ...bots,
          byHand: (...args) =>
            Effect.tap(bots.byHand(...args), () =>
              Effect.sync(() => {
                acted++
                cluster.doubtful.add(node)
              })
            )
        })
      })
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      const exit = yield* Effect.exit(Engines.at(cluster, 0, closed(ann)))
      expect(reasonOf(exit)).toContain("lost the partition of this account while it worked")
      expect(acted).toBe(1)
      expect(yield* Engines.at(cluster, 1, Flow.tradesOf(ann.strategy))).toHaveLength(1)
    })
  )

  it.live("says what was done where the owner gave the partition back in good order just afterwards", () =>
    Effect.gen(function* () {
      const cluster: Engines.Cluster = yield* Engines.make({
        served: (bots) => ({
          ...bots,
          byHand: (strategy, ...rest) =>
            Effect.zipLeft(bots.byHand(strategy, ...rest), cluster.give(0, [partitionOf(strategy.account)]))
        })
      })
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      yield* Engines.at(cluster, 0, closed(ann))
      expect(yield* Engines.at(cluster, 0, Flow.tradesOf(ann.strategy))).toHaveLength(1)
    })
  )

  it.live("does not answer for its own bots either", () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make()
      yield* cluster.give(0)
      const ann = yield* bought(cluster, 0)
      cluster.doubtful.add(0)
      const exit = yield* Effect.exit(Effect.timeout(Engines.at(cluster, 0, closed(ann)), "1 second"))
      expect(Exit.isFailure(exit)).toBe(true)
      expect(yield* Engines.at(cluster, 0, Flow.tradesOf(ann.strategy))).toHaveLength(0)
      cluster.doubtful.delete(0)
      yield* Engines.at(cluster, 0, closed(ann))
    })
  )
})

describe("a connection that breaks after the request", () => {
  it.live("ends the request with storage that is away, and it is not sent again", () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make()
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      let requests = 0
      const breaking = yield* Effect.acquireRelease(
        Effect.sync(() =>
          Bun.listen({
            hostname: "127.0.0.1",
            port: 0,
            socket: {
              data: (socket) => {
                requests++
                socket.terminate()
              }
            }
          })
        ),
        (server) => Effect.sync(() => server.stop(true))
      )
      cluster.addresses[1] = { host: "127.0.0.1", port: breaking.port }
      const exit = yield* Effect.exit(Engines.at(cluster, 0, closed(ann)))
      expect(reasonOf(exit)).toContain("broke")
      expect(adviceOf(exit)).toContain("see what was done before you ask again")
      yield* Effect.sleep("300 millis")
      expect(requests).toBe(1)
    })
  )
})

describe("partitions that move", () => {
  it.live("fail no request: whoever owns them next answers", () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make({ nodes: 3 })
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      const hers = partitionOf(ann.account)
      const moving = yield* Effect.fork(
        Effect.gen(function* () {
          for (const node of [2, 0, 1, 2, 0, 1]) {
            yield* cluster.drop(hers)
            yield* Effect.sleep("150 millis")
            yield* cluster.give(node, [hers])
            yield* Effect.sleep("50 millis")
          }
        })
      )
      let changes = 0
      while (Option.isNone(yield* Fiber.poll(moving))) {
        changes++
        yield* Engines.at(
          cluster,
          changes % 3,
          Flow.update(ann.account, ann.strategy, { buy_percentage: 1 + (changes % 90) })
        )
        yield* Engines.at(cluster, changes % 3, stand(ann))
      }
      const { revision, settings } = yield* Engines.at(
        cluster,
        0,
        Effect.flatMap(StrategyStore, (store) => store.get(ann.account, ann.strategy))
      )
      expect(revision).toBe(changes)
      expect(settings.buyPercent).toBe(1 + (changes % 90))
    })
  )

  it.live(
    "have a request wait two seconds longer than five, once a node has answered that it does not run them",
    () =>
      Effect.gen(function* () {
        const cluster = yield* Engines.make({ nodes: 3 })
        yield* cluster.give(1)
        const ann = yield* bought(cluster, 1)
        const hers = partitionOf(ann.account)
        yield* cluster.drop(hers)
        const waiting = yield* Effect.fork(Effect.timed(Engines.at(cluster, 0, stand(ann))))
        yield* Effect.sleep("3500 millis")
        // An owner that gives it back before it has begun with its bots.
        cluster.owners.set(hers, 2)
        yield* Effect.sleep("300 millis")
        cluster.owners.delete(hers)
        yield* Effect.sleep("2200 millis")
        yield* cluster.give(1, [hers])
        const [took] = yield* Fiber.join(waiting)
        expect(seconds(took)).toBeGreaterThan(5.5)
        expect(seconds(took)).toBeLessThan(7)
      }),
    20_000
  )

  it.live("end a request with storage that is away where nobody takes them", () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make()
      yield* cluster.give(1)
      const ann = yield* bought(cluster, 1)
      yield* cluster.drop(partitionOf(ann.account))
      const exit = yield* Effect.exit(Engines.at(cluster, 0, stand(ann)))
      expect(reasonOf(exit)).toBe("no node runs the bots of this account now")
      expect(adviceOf(exit)).toBe("the bots of this account cannot be reached now; try again")
    })
  )

  it.live("keep both of two changes that two nodes make at once", () =>
    Effect.gen(function* () {
      const cluster = yield* Engines.make({ nodes: 3 })
      yield* cluster.give(2)
      const ann = yield* bought(cluster, 2)
      const changes = [
        Engines.at(cluster, 0, Flow.update(ann.account, ann.strategy, { buy_percentage: 7 })),
        Engines.at(cluster, 1, Flow.update(ann.account, ann.strategy, { description: "by the other" })),
        Engines.at(cluster, 2, Flow.update(ann.account, ann.strategy, { name: "third" }))
      ]
      yield* Effect.all(changes, { concurrency: "unbounded" })
      const { settings } = yield* Engines.at(
        cluster,
        0,
        Effect.flatMap(StrategyStore, (store) => store.get(ann.account, ann.strategy))
      )
      expect([settings.buyPercent, settings.description, settings.name]).toEqual([7, "by the other", "third"])
    })
  )
})

it.live("the trace of a request goes on at the node that answers it", () =>
  Effect.gen(function* () {
    const traces: Array<string> = []
    const cluster = yield* Engines.make({
      served: (bots) => ({
        ...bots,
        stand: (strategy) =>
          Effect.zipRight(
            Effect.tap(Effect.orDie(Effect.currentSpan), (span) =>
              Effect.sync(() => traces.push(span.traceId))
            ),
            bots.stand(strategy)
          )
      })
    })
    yield* cluster.give(1)
    const ann = yield* bought(cluster, 1)
    const own = yield* Effect.gen(function* () {
      yield* Engines.at(cluster, 0, stand(ann))
      return (yield* Effect.orDie(Effect.currentSpan)).traceId
    }).pipe(Effect.withSpan("request"))
    expect(traces).toEqual([own])
  })
)
