// Judges the alerts of the journal in slices of bounded work; between two slices, prices and requests get their turn.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Journal } from "../../Journal.ts"
import { type Bounds, EngineLimits } from "../EngineLimits.ts"
import type { EngineState } from "../EngineState.ts"
import * as JournalReading from "./JournalReading.ts"
import * as LaneService from "./LaneService.ts"

/** Tasks of the first slice, and the fewest of one, however long the last one took. */
const FIRST_TASKS = 64
const LEAST_TASKS = 32
/** How long a slice judges before it commits (ms). */
const JUDGING_MS = 8
/** The most tasks of one lane before the next lane gets its turn. */
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
  const { judge, slice } = yield* slicing(engineState, service, refill)

  /**
   * Judges what a strategy has left ahead of all others until a time (ms), and one alert at least; true when none is left.
   */
  const ahead = Effect.fnUntraced(function* (
    { account, id }: Pick<Strategy, "account" | "id">,
    until: number
  ) {
    for (let isFirst = true; ; isFirst = false) {
      const lane = backlog.laneOf(account)
      if (lane !== undefined) yield* refill(lane)
      const task = lane?.peek(id)
      if (lane === undefined || task === undefined) return lane?.isBehind(id) !== true
      if (!isFirst && (yield* Clock.currentTimeMillis) >= until) return false
      if (engineState.isSending(id) || engineState.engine.outbox.isFull) yield* engineState.settle()
      yield* engineState.breath.pause
      const contextFor = yield* engineState.present
      lane.take(task)
      service.judge(task, contextFor)
    }
  })

  /** Reads, and judges a slice; whether all was read, and whether more is left. */
  const turn = Effect.gen(function* () {
    const isRead = yield* read()
    const isLeft = yield* slice
    // A refill may have read past alerts that came meanwhile, so the bell alone does not tell of them.
    const isMore = isLeft || !isRead || (!share.isEmpty && (yield* journal.last) > backlog.front)
    return { isRead, isMore }
  })

  /** Judges a few tasks that are stored with other decisions of the same turn: a commit of their own would take longer. */
  const some = Effect.zipRight(
    Effect.unless(judge(LEAST_TASKS), () => backlog.isEmpty),
    backlog.remind
  )

  /** Judges all that is in the journal at the call, however much comes meanwhile. */
  const drain = Effect.flatMap(journal.last, (last) =>
    Effect.repeat(turn, { until: ({ isMore }) => !isMore || backlog.isDoneUpTo(last) })
  )

  return { read, turn, some, ahead, drain }
})

export type AlertJudging = Effect.Effect.Success<ReturnType<typeof make>>

/**
 * Makes two effects. `judge` judges so many tasks at most; true where it judged as many. `slice` finds out how many, judges
 * them and stores the results; true where more is left.
 */
const slicing = Effect.fnUntraced(function* (
  { backlog, present, settle }: EngineState,
  { serve, serveDue }: ReturnType<typeof LaneService.make>,
  refill: Effect.Effect.Success<ReturnType<typeof JournalReading.make>>["refill"]
) {
  const { sliceMs, tasksPerSlice } = yield* EngineLimits
  const sizing = sliceSizing({ sliceMs, tasksPerSlice })

  const judge = Effect.fnUntraced(function* (tasks: number) {
    const contextFor = yield* present
    const startedAt = yield* Clock.currentTimeMillis
    // Lanes share a slice, so that a bot which waits for its account's turn has it soon.
    const laneTasks = Math.min(LANE_TASKS, Math.ceil(tasks / backlog.lanes))
    let left = tasks
    let idle = 0
    while (left > 0 && idle < backlog.lanes && (yield* Clock.currentTimeMillis) - startedAt < JUDGING_MS) {
      const lane = backlog.turn()
      if (lane === undefined) break
      yield* refill(lane)
      const most = Math.min(laneTasks, left)
      const due = serveDue(lane, contextFor, startedAt, most)
      const count = due + serve(lane, contextFor, most - due)
      left -= count
      idle = count === 0 ? idle + 1 : 0
    }
    return left <= 0
  })
  const slice = Effect.gen(function* () {
    if (!backlog.hear()) return false
    const startedAt = yield* Clock.currentTimeMillis
    const isFull = yield* judge(sizing.tasks())
    yield* settle()
    sizing.took((yield* Clock.currentTimeMillis) - startedAt, { isFull })
    yield* backlog.remind
    return !backlog.isEmpty
  })
  return { judge, slice }
})

/**
 * Makes the size of slices: fewer tasks after a slow slice, whatever made it slow, and more after a full one that was quick.
 * It at most halves or doubles from one to the next.
 */
const sliceSizing = ({ sliceMs, tasksPerSlice }: Pick<Bounds, "sliceMs" | "tasksPerSlice">) => {
  let tasks = Math.min(FIRST_TASKS, tasksPerSlice)
  return {
    tasks: () => tasks,
    took: (ms: number, { isFull }: { readonly isFull: boolean }): void => {
      if (ms <= sliceMs && !isFull) return
      const factor = Math.min(2, Math.max(0.5, sliceMs / Math.max(1, ms)))
      tasks = Math.min(tasksPerSlice, Math.max(LEAST_TASKS, Math.floor(tasks * factor)))
    }
  }
}
