// One life of a node: the real server below http, on its way to the shared database. What Effect Cluster does for it, this
// world does by the same port and without its care: it takes and gives back partitions as it is told.
import { RunnerAddress } from "@effect/cluster/RunnerAddress"
import { RunnerStorage } from "@effect/cluster/RunnerStorage"
import { Cause, Context, Effect, Exit, Fiber, Layer, Schedule, type Scope } from "effect"
import * as LeaseRows from "../../../src/cluster/LeaseRows.ts"
import { partitionOf as partitionOfShard, shardOf } from "../../../src/cluster/PartitionEntity.ts"
import * as RunnerRows from "../../../src/cluster/RunnerRows.ts"
import { STARTING_BALANCES } from "../../../src/domain/Bot.ts"
import type { Partition } from "../../../src/domain/Partition.ts"
import { Leases } from "../../../src/postgres/Leases.ts"
import { Alerts } from "../../../src/services/Alerts.ts"
import { Arming } from "../../../src/services/Arming.ts"
import { Bots } from "../../../src/services/Bots.ts"
import type { Exchange } from "../../../src/services/Exchange.ts"
import type { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import * as EngineLayer from "../../../src/services/engine/EngineLayer.ts"
import { type Bounds, EngineLimits } from "../../../src/services/engine/EngineLimits.ts"
import { EnginePartitions } from "../../../src/services/engine/EnginePartitions.ts"
import { PartitionLease } from "../../../src/services/engine/PartitionLease.ts"
import * as StreamingFeed from "../../../src/services/feeds/StreamingFeed.ts"
import type { Wallets } from "../../../src/services/money/Wallets.ts"
import { Performance } from "../../../src/services/Performance.ts"
import { Strategies } from "../../../src/services/Strategies.ts"
import { Validation } from "../../../src/services/Validation.ts"
import { DEFAULT_PATIENCE } from "../../../src/trading/AlertPatience.ts"
import { loggerOf, runIn, type Services, type Watcher } from "../Server.ts"
import { type Ask, routed, type Served } from "./bots.ts"
import type { Link } from "./Link.ts"
import * as Storage from "./storage.ts"

/** Effect Cluster asks so often again before it takes the leases for lost. */
const AGAIN = { times: 5, schedule: Schedule.spaced("50 millis") } as const
/** How often a node looks at what it should have, and at its leases, as Effect Cluster does. */
const ASSIGN = "500 millis"
const REFRESH = "1 second"
/** How long Effect Cluster waits for partitions that it takes. */
const ANSWER = "1 second"
const PLACE = RunnerAddress.make({ host: "127.0.0.1", port: 1 })

export interface Parts {
  readonly link: Link
  readonly exchange: Layer.Layer<Exchange>
  readonly wallets: Layer.Layer<Wallets>
  readonly accounts: Layer.Layer<ExchangeAccounts>
  readonly bounds: Bounds
  readonly turnMs: () => number
  readonly stir: () => void
  readonly ask: Ask
  /** The partitions that it should have, as it believes. */
  readonly wanted: () => ReadonlySet<Partition>
  /** Those that it begins with although it has no lease. */
  readonly presumed: () => ReadonlyArray<Partition>
}

type Own = Services | EnginePartitions | Leases | RunnerStorage

const layer = (parts: Parts) => {
  const { link } = parts
  const records = Layer.mergeAll(
    Storage.layer(link, (then) => link.machine.after(parts.turnMs(), then), parts.stir),
    parts.exchange,
    parts.wallets,
    parts.accounts,
    Validation.layer,
    Performance.layer,
    StreamingFeed.layer
  )
  const lease = Layer.effect(PartitionLease, Leases)
  const engine = EngineLayer.layer({
    paper: STARTING_BALANCES,
    patience: DEFAULT_PATIENCE,
    isShared: true
  }).pipe(Layer.provide(Layer.merge(Layer.succeed(EngineLimits, parts.bounds), lease)))
  const storage = Layer.unwrapEffect(Effect.map(Effect.clock, RunnerRows.layer))
  const local = Layer.provideMerge(Layer.provideMerge(storage, engine), records)
  const everywhere = Layer.effect(
    Bots,
    Effect.map(Bots, (bots) => routed(bots, parts.ask))
  )
  return Layer.unwrapEffect(
    Effect.map(Layer.build(local), (context) => {
      const here = Layer.succeedContext(context)
      return Layer.mergeAll(Strategies.layer({ maxPairs: 200, paper: STARTING_BALANCES }), Alerts.layer).pipe(
        Layer.provideMerge(Arming.layer()),
        Layer.provideMerge(Layer.provide(everywhere, here)),
        Layer.provideMerge(here),
        Layer.provideMerge(Layer.succeed(Local, Context.get(context, Bots)))
      )
    })
  )
}

/** The bots of this node alone. */
class Local extends Context.Tag("signalbox/test/sim/nodes/Local")<Local, typeof Bots.Service>() {}

/** From a start to its end. */
export class Node {
  readonly link: Link
  readonly #parts: Parts
  readonly #logger: Layer.Layer<never>
  #context: Context.Context<Own | Local> | undefined
  #program: Fiber.RuntimeFiber<unknown, unknown> | undefined
  /** The shards that it takes for its own, as Effect Cluster does. */
  readonly #shards = new Set<Partition>()
  readonly #presumed = new Set<Partition>()
  readonly #inTurn = Effect.unsafeMakeSemaphore(1).withPermits(1)
  #isStopping = false

  constructor(parts: Parts, watcher: Watcher) {
    this.link = parts.link
    this.#parts = parts
    this.#logger = loggerOf(watcher)
    const program = Effect.gen(this, function* () {
      this.#context = yield* Layer.build(layer(parts))
      yield* Effect.provide(this.#belonging(), this.#context)
      watcher.ready()
      return yield* Effect.never
    }).pipe(Effect.scoped)
    this.#program = this.#run(program)
    this.#program.addObserver((exit) => {
      if (this.link.machine.alive && !this.#isStopping && Exit.isFailure(exit))
        watcher.ended(Cause.pretty(exit.cause))
    })
  }

  get isReady(): boolean {
    return this.#context !== undefined && !this.#isStopping
  }

  /** What other nodes may ask. */
  get served(): Served | undefined {
    if (this.#context === undefined) return undefined
    const leases = Context.get(this.#context, Leases)
    return {
      bots: Context.get(this.#context, Local),
      owner: {
        engine: Context.get(this.#context, EnginePartitions),
        lease: LeaseRows.ownLeases(leases)
      }
    }
  }

  /** Whether its engine runs the bots of a partition, and has not begun with it in the belief that it had the lease. */
  runsUnder(partition: Partition): boolean {
    return this.runs.has(partition) && !this.#presumed.has(partition)
  }

  /** The partitions whose bots its engine runs. */
  get runs(): ReadonlySet<Partition> {
    return this.#context === undefined
      ? new Set()
      : Effect.runSync(Context.get(this.#context, EnginePartitions).held)
  }

  call<A, E>(
    asked: Effect.Effect<A, E, Services | Scope.Scope>,
    answer: (exit: Exit.Exit<A, E>) => void = () => {}
  ): void {
    if (this.#context === undefined) return
    this.run(Effect.provide(Effect.scoped(asked), this.#context), answer)
  }

  run<A, E>(effect: Effect.Effect<A, E>, answer: (exit: Exit.Exit<A, E>) => void): void {
    this.#run(effect).addObserver((exit) => {
      if (this.link.machine.alive) answer(exit)
    })
  }

  /** Killed: no finalizer runs, and the kernel closes its connections. */
  kill(): void {
    this.link.machine.alive = false
    this.link.end()
  }

  /** Told to stop: gives everything back, and ends. */
  stop(ended: () => void): void {
    const context = this.#context
    const program = this.#program
    if (context === undefined || program === undefined) return
    this.#isStopping = true
    const last = Effect.gen(this, function* () {
      // As Effect Cluster does it: first of all, and whatever becomes of it.
      yield* Effect.ignore((yield* RunnerStorage).unregister(PLACE))
      yield* this.#inTurn(Effect.suspend(() => this.#leave([...this.#shards])))
      yield* Effect.ignore((yield* RunnerStorage).releaseAll(PLACE))
      yield* Fiber.interrupt(program)
    })
    this.run(Effect.provide(last, context), () => {
      this.kill()
      ended()
    })
  }

  #run<A, E>(effect: Effect.Effect<A, E>) {
    return runIn(this.link.machine, Effect.provide(effect, this.#logger))
  }

  /** Takes and gives back partitions for as long as the node lives. */
  #belonging() {
    return Effect.gen(this, function* () {
      yield* Effect.forkScoped(patiently(this.#assign(), ASSIGN))
      yield* Effect.forkScoped(patiently(this.#refresh(), REFRESH))
    })
  }

  #assign() {
    return Effect.gen(this, function* () {
      if (this.#isStopping) return
      const wanted = this.#parts.wanted()
      yield* this.#leave([...this.#shards].filter((partition) => !wanted.has(partition)))
      const lacking = [...wanted].filter((partition) => !this.#shards.has(partition))
      const engine = yield* EnginePartitions
      if (lacking.length > 0) {
        const taken = yield* (yield* RunnerStorage)
          .acquire(PLACE, lacking.map(shardOf))
          .pipe(Effect.timeoutTo({ duration: ANSWER, onSuccess: (all) => all, onTimeout: () => [] }))
        for (const partition of taken.map(partitionOfShard)) {
          this.#shards.add(partition)
          this.#presumed.delete(partition)
        }
      }
      yield* engine.take(this.#shards)
      const presumed = this.#parts.presumed()
      for (const partition of presumed) this.#presumed.add(partition)
      yield* engine.take(presumed)
    }).pipe(this.#inTurn)
  }

  #refresh() {
    return Effect.gen(this, function* () {
      const storage = yield* RunnerStorage
      const kept = yield* Effect.suspend(() => storage.refresh(PLACE, [...this.#shards].map(shardOf))).pipe(
        Effect.retry(AGAIN)
      )
      const still = new Set(kept.map(partitionOfShard))
      yield* this.#inTurn(this.#forget([...this.#shards].filter((partition) => !still.has(partition))))
    }).pipe(
      // The leases are about to end.
      Effect.catchAll(() => this.#inTurn(Effect.suspend(() => this.#forget([...this.#shards]))))
    )
  }

  /** The engine ends before the lease is given back. */
  #leave(some: ReadonlyArray<Partition>) {
    return Effect.gen(this, function* () {
      if (some.length === 0) return
      yield* this.#forget(some)
      const storage = yield* RunnerStorage
      yield* Effect.forEach(some, (partition) => storage.release(PLACE, shardOf(partition)), {
        concurrency: "unbounded",
        discard: true
      })
    })
  }

  #forget(some: ReadonlyArray<Partition>) {
    return Effect.gen(this, function* () {
      for (const partition of some) this.#shards.delete(partition)
      if (some.length === 0) return
      yield* (yield* EnginePartitions).release(some)
      const leases = yield* Leases
      leases.finish(some)
    })
  }
}

/** Again and again, whatever fails. */
const patiently = <E, R>(work: Effect.Effect<void, E, R>, every: Parameters<typeof Schedule.spaced>[0]) =>
  Effect.repeat(
    Effect.catchAllCause(work, (cause) =>
      Cause.isInterrupted(cause) ? Effect.failCause(cause) : Effect.void
    ),
    Schedule.spaced(every)
  )
