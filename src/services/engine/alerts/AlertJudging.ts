// Judges the alerts of the journal in slices of bounded work; between two slices, prices and requests get their turn.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Journal } from "../../Journal.ts"
import { EngineLimits } from "../EngineLimits.ts"
import type { EngineState } from "../EngineState.ts"
import * as JournalReading from "./JournalReading.ts"
import * as LaneService from "./LaneService.ts"

/** The fewest tasks of one slice, however long the last one took. */
const LEAST_TASKS = 32
/** How long a slice judges before it commits (ms). */
const JUDGING_MS = 8
/** Tasks of one lane before the next lane gets its turn. */
const LANE_TASKS = 64

/**
 * Judges the alerts in the journal. Call everything here in a turn.
 *
 * 1. `read` puts each alert into the lanes of the accounts whose strategies follow its signal.
 * 2. `slice` lets the lanes take turns, and stores the results in one commit.
 * 3. That commit moves each partition's cursor to the oldest alert that one of its lanes has left.
 *
 * A bot may judge its own alerts ahead of its lane (`ahead`). After a crash, the journal is read from the cursors on,
 * and alerts that a bot has already judged beyond them are skipped.
 */
export const make = Effect.fnUntraced(function* (
  engineState: EngineState,
  applyRules: LaneService.ApplyRules
) {
  const { backlog, share } = engineState
  const journal = yield* Journal
  const { read, refill } = yield* JournalReading.make(backlog, share)
  const service = LaneService.make(engineState, applyRules)
  const slice = yield* slicing(engineState, service, refill)

  /** Judges what a strategy has left, at most so many alerts, ahead of all others; true when none is left. */
  const ahead = Effect.fnUntraced(function* (
    { account, id }: Pick<Strategy, "account" | "id">,
    most: number
  ) {
    for (let count = 0; ; count++) {
      const lane = backlog.laneOf(account)
      if (lane !== undefined) yield* refill(lane)
      const task = lane?.peek(id)
      if (lane === undefined || task === undefined) return lane?.isBehind(id) !== true
      if (count >= most) return false
      if (engineState.isSending(id)) yield* engineState.settle()
      const contextFor = yield* engineState.present
      lane.take(task)
      service.judge(task, contextFor)
    }
  })

  /** Reads, and judges a slice; whether all was read, and whether more is left. */
  const turn = Effect.gen(function* () {
    const isRead = yield* read
    const isLeft = yield* slice
    // A refill may have read past alerts that came meanwhile, so the bell alone does not tell of them.
    const isMore = isLeft || !isRead || (!share.isEmpty && (yield* journal.last) > backlog.front)
    return { isRead, isMore }
  })

  /** Judges all that is in the journal at the call, however much comes meanwhile. */
  const drain = Effect.flatMap(journal.last, (last) =>
    Effect.repeat(turn, { until: ({ isMore }) => !isMore || backlog.isDoneUpTo(last) })
  )

  return { read, turn, ahead, drain }
})

export type AlertJudging = Effect.Effect.Success<ReturnType<typeof make>>

/** Makes the effect that runs and stores one slice of bounded work; true when more is left. */
const slicing = Effect.fnUntraced(function* (
  { backlog, present, settle }: EngineState,
  { serve, serveDue }: ReturnType<typeof LaneService.make>,
  refill: Effect.Effect.Success<ReturnType<typeof JournalReading.make>>["refill"]
) {
  const { sliceMs, tasksPerSlice } = yield* EngineLimits
  /** Tasks of the next slice: fewer after a slow one, whatever made it slow. */
  let pace = tasksPerSlice

  return Effect.gen(function* () {
    if (!backlog.hear()) return false
    const contextFor = yield* present
    const startedAt = yield* Clock.currentTimeMillis
    let left = pace
    let idle = 0
    while (left > 0 && idle < backlog.lanes && (yield* Clock.currentTimeMillis) - startedAt < JUDGING_MS) {
      const lane = backlog.turn()
      if (lane === undefined) break
      yield* refill(lane)
      const most = Math.min(LANE_TASKS, left)
      const due = serveDue(lane, contextFor, startedAt, most)
      const count = due + serve(lane, contextFor, most - due)
      left -= count
      idle = count === 0 ? idle + 1 : 0
    }
    yield* settle()
    const took = (yield* Clock.currentTimeMillis) - startedAt
    pace = Math.min(tasksPerSlice, took > sliceMs ? Math.max(LEAST_TASKS, pace / 2) : pace * 2)
    return !backlog.isEmpty
  })
})
