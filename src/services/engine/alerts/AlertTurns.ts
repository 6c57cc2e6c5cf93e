// The turns in which alerts are judged: in the journal's sequence and in slices, so that between two slices prices and
// requests get their turn.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Journal } from "../../Journal.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turns } from "../Turns.ts"
import type { AlertJudging } from "./AlertJudging.ts"

/**
 * How long the first turn of a request takes, and each later one (ms): it reads alerts, and in what is left of the time its
 * strategies judge theirs before others. Some are left then where new alerts come as fast as old ones are judged, or on a
 * server that has just taken bots over and has many to read.
 */
const FIRST_MS = 100
const LATER_MS = 200

/** Makes the turns of alerts. */
export const make = Effect.fnUntraced(function* (
  { backlog, breath, cursor, settle, share }: EngineState,
  judging: AlertJudging,
  { awaitedTurn, turn }: Pick<Turns, "awaitedTurn" | "turn">
) {
  const journal = yield* Journal

  /** An engine without partitions reads no alerts: the bell of arrivals would ring for ever. */
  const arrival = Effect.suspend(() => (share.isEmpty ? Effect.never : journal.arrival))

  /** Judges one slice, then waits for the next alert where none is left. */
  const next = Effect.flatMap(turn(judging.turn), ({ isMore }) =>
    isMore ? breath.rest : Effect.raceFirst(arrival, backlog.rings)
  )

  /** Judges everything that is in the journal at the call; others get their turn meanwhile. */
  const caughtUp = Effect.gen(function* () {
    const last = yield* journal.last
    do yield* Effect.zipRight(turn(judging.turn), breath.rest)
    while (!share.isEmpty && cursor() < last)
    yield* turn(settle(undefined, true))
  })

  /**
   * Runs an effect in a turn in which the strategies have judged every alert accepted before: ahead of all others, some
   * at a time, so that nobody waits for long.
   */
  const behindOwn = <A, E, R>(
    owns: ReadonlyArray<Pick<Strategy, "account" | "id">>,
    act: Effect.Effect<A, E, R>
  ) => {
    const once = (forMs: number) =>
      awaitedTurn(
        Effect.gen(function* () {
          for (const { account } of owns) yield* share.own(account)
          const until = (yield* Clock.currentTimeMillis) + forMs
          const isRead = yield* judging.read(forMs)
          const isDone = isRead && (yield* Effect.every(owns, (own) => judging.ahead(own, until)))
          yield* settle()
          return isDone ? Option.some(yield* act) : Option.none()
        })
      )
    const repeated = (forMs: number): Effect.Effect<A, E, R> =>
      Effect.flatMap(
        once(forMs),
        Option.match({
          onSome: (done) => Effect.succeed(done),
          // Alerts that are not in memory yet are read in the turns of other accounts: let those run.
          onNone: () =>
            Effect.zipRight(
              breath.rest,
              Effect.suspend(() => repeated(LATER_MS))
            )
        })
      )
    return repeated(FIRST_MS)
  }

  return { next, caughtUp, behindOwn }
})
