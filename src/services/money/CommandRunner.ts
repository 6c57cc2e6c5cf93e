// Carries out what commands on the command line left for the server, and answers each. Per strategy one at a time,
// oldest first; a disarm cancels an arm of the same strategy that is under way. Each is carried out on the server that
// runs the bots of its account.
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ArmedTerms } from "../../domain/Arming.ts"
import { ArmingRefused } from "../../domain/Arming.ts"
import { type BatchEntry, type CommandAnswer, SEVERAL, type StoredCommand } from "../../domain/Command.ts"
import { type Partition, partitionOf } from "../../domain/Partition.ts"
import type { ManualOrder, ManualRefused } from "../../domain/position/ManualOrder.ts"
import type { Violations } from "../../domain/requests/Violations.ts"
import type { StrategyChanged, StrategyNotFound, TooManyStrategies } from "../../domain/Strategy.ts"
import { Arming, type TradingMode } from "../Arming.ts"
import { Bots } from "../Bots.ts"
import * as EnginePartitions from "../engine/EnginePartitions.ts"
import * as ManualForms from "../engine/orders/ManualForms.ts"
import { Idempotency } from "../Idempotency.ts"
import type { KeyReused } from "../Journal.ts"
import { type BatchRefused, StrategyBatch } from "../records/StrategyBatch.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { COMMAND_MS, Commands } from "./Commands.ts"

/** The pause before another try after a fault (ms). */
const AGAIN_MS = 1_000

/**
 * Runs commands for as long as the layer lives. Different strategies run concurrently, so that nobody's disarming waits
 * for the exchange of another.
 */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const arming = yield* Arming
    const batch = yield* StrategyBatch
    const commands = yield* Commands
    const givenByHand = yield* byHand

    const fresh = Effect.fnUntraced(function* ({ at }: StoredCommand) {
      const now = yield* Clock.currentTimeMillis
      if (now - at > COMMAND_MS)
        return yield* refused("it was not carried out within a minute, and is void: ask for it again")
    })

    const applied = Effect.fnUntraced(function* (command: StoredCommand, entries: ReadonlyArray<BatchEntry>) {
      yield* fresh(command)
      const { length } = yield* batch.apply(command.account, entries)
      return `${length} ${length === 1 ? "strategy has" : "strategies have"} new settings`
    })

    const disarmed = Effect.fnUntraced(function* (command: StoredCommand, how: How) {
      const { account } = command
      const strategy = yield* single(command)
      yield* fresh(command)
      const { mode } = yield* arming.disarm(account, strategy, how)
      return mode === "paper"
        ? `strategy ${strategy} is on paper again`
        : `strategy ${strategy} enters nothing more, and is on paper again once all is closed`
    })

    const armed = Effect.fnUntraced(function* (command: StoredCommand, terms: ArmedTerms) {
      const { account, at } = command
      const strategy = yield* single(command)
      // This command armed it already, and its answer was lost.
      if (isArmed(yield* arming.mode(account, strategy), terms, at))
        return `strategy ${strategy} trades with real money, on these terms`
      yield* fresh(command)
      const { confirmation, statement } = yield* arming.propose(account, strategy, terms)
      yield* arming.arm(account, strategy, terms, confirmation)
      return statement
    })

    const carriedOut = (
      command: StoredCommand,
      cancelled: Effect.Effect<never, ArmingRefused>
    ): Effect.Effect<string, Refusal> => {
      const { wish: wanted } = command
      switch (wanted._tag) {
        case "Apply":
          return applied(command, wanted.entries)
        case "ByHand":
          return givenByHand(command, wanted.order, fresh(command))
        case "Disarm":
          return disarmed(command, wanted)
        case "Arm":
          return Effect.raceFirst(armed(command, wanted.terms), cancelled)
      }
    }

    const run = (command: StoredCommand, cancellation: Cancellation): Effect.Effect<CommandAnswer> => {
      const cancelled = Effect.zipRight(
        Deferred.await(cancellation),
        refused("it was cancelled: a disarm was asked for since")
      )
      return carriedOut(command, cancelled).pipe(
        Effect.map((text) => ({ isDone: true, text })),
        Effect.catchAll(({ message }) => Effect.succeed(refusal(message)))
      )
    }

    const scope = yield* Effect.scope
    const looking = (yield* Effect.makeSemaphore(1)).withPermits(1)
    const underway = new Map<StoredCommand["strategy"], Cancellation>()
    const running = new Set<{ readonly home: Partition; readonly fiber: Fiber.RuntimeFiber<void> }>()
    let held: ReadonlySet<Partition> = new Set()
    /** Starts the pending commands, the oldest of each strategy. */
    const startPending: Effect.Effect<void> = Effect.gen(function* () {
      for (const command of yield* commands.pending) {
        if (!held.has(partitionOf(command.account))) continue
        const cancellation = underway.get(command.strategy)
        if (cancellation === undefined) {
          const created = yield* Deferred.make<void>()
          underway.set(command.strategy, created)
          const fiber = yield* Effect.forkIn(taken(command, created), scope)
          const one = { home: partitionOf(command.account), fiber }
          running.add(one)
          fiber.addObserver(() => running.delete(one))
        } else if (command.wish._tag === "Disarm") yield* Deferred.succeed(cancellation, undefined)
      }
    }).pipe(looking, insistent)
    const taken = (command: StoredCommand, cancellation: Cancellation): Effect.Effect<void> =>
      insistent(run(command, cancellation)).pipe(
        Effect.flatMap((answer) => insistent(commands.answer(command.id, answer))),
        // Only between two looks: one under way may have read the command before its answer.
        Effect.zipRight(looking(Effect.sync(() => underway.delete(command.strategy)))),
        Effect.zipRight(startPending)
      )
    yield* EnginePartitions.follow((now) => {
      held = now
      // What is under way ends here: another server would begin it again.
      const left = [...running].filter(({ home }) => !held.has(home))
      return Effect.zipRight(
        startPending,
        Effect.forEach(left, ({ fiber }) => Fiber.await(fiber), { discard: true })
      )
    })
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(startPending, insistent(commands.changed))))
  })
)

/**
 * Makes what carries out an order by hand. Its key has a blank, as no caller's key does: after a crash between the order
 * and this command's answer, the command finds what it did and does it no second time.
 */
const byHand = Effect.gen(function* () {
  const bots = yield* Bots
  const idempotency = yield* Idempotency
  const store = yield* StrategyStore
  return Effect.fnUntraced(function* <E>(
    command: StoredCommand,
    order: ManualOrder,
    fresh: Effect.Effect<void, E>
  ) {
    const { account, id } = command
    const once = { key: `command ${id}`, request: `command ${id}` }
    const before = yield* idempotency.find(account, once.key, once.request)
    if (Option.isSome(before)) return before.value.body
    const strategy = yield* single(command)
    yield* fresh
    const found = yield* store.get(account, strategy)
    const { body } = yield* bots.byHand(found, order, { form: ManualForms.text, once })
    return body
  })
})

/** Why a command was not carried out, with a text for the owner. */
type Refusal =
  | ArmingRefused
  | BatchRefused
  | KeyReused
  | ManualRefused
  | StrategyChanged
  | StrategyNotFound
  | TooManyStrategies
  | Violations

type How = Parameters<typeof Arming.Service.disarm>[2]

/** Completed when the strategy being armed is to be disarmed. */
type Cancellation = Deferred.Deferred<void>

const isArmed = ({ armed, mode }: TradingMode, terms: ArmedTerms, at: number): boolean =>
  mode === "live" &&
  armed !== undefined &&
  armed.since >= at &&
  armed.account === terms.account &&
  armed.protect === terms.protect &&
  Equal.equals(armed.capital, terms.capital) &&
  Equal.equals(armed.maxOrder, terms.maxOrder) &&
  Equal.equals(armed.maxDailyLoss, terms.maxDailyLoss)

/** Repeats an effect until it does not die. */
const insistent = <A, E>(self: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.catchAllDefect(self, (defect) =>
    Effect.logError("a command could not be carried out, and is tried again", defect).pipe(
      Effect.zipRight(Effect.sleep(AGAIN_MS)),
      Effect.zipRight(Effect.suspend(() => insistent(self)))
    )
  )

/** The one strategy that a command is for. */
const single = ({ strategy }: StoredCommand) =>
  strategy === SEVERAL ? refused("it names no strategy") : Effect.succeed(strategy)

const refused = (detail: string) => Effect.fail(new ArmingRefused({ reason: "busy", detail }))
const refusal = (text: string): CommandAnswer => ({ isDone: false, text })
