// The turns in which alerts are judged: in the journal's sequence and in slices, so that between two slices prices and
// requests get their turn.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Journal } from "../../Journal.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turns } from "../Turns.ts"
import type { AlertJudging } from "./AlertJudging.ts"

/** The most alerts that a bot judges ahead of others in one turn. */
const AHEAD = 64

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
    const once = awaitedTurn(
      Effect.gen(function* () {
        for (const { account } of owns) yield* share.own(account)
        const isDone =
          (yield* judging.read) && (yield* Effect.every(owns, (own) => judging.ahead(own, AHEAD)))
        yield* settle()
        return isDone ? Option.some(yield* act) : Option.none()
      })
    )
    // Alerts that are not in memory yet are read in the turns of other accounts: let those run.
    const again = Effect.tap(once, (done) => (Option.isSome(done) ? Effect.void : breath.rest))
    return Effect.map(Effect.repeat(again, { until: Option.isSome }), Option.getOrThrow)
  }

  return { next, caughtUp, behindOwn }
})
