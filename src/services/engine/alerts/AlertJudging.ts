// Brings alerts from the journal to the bots in slices of bounded work; between two slices, prices and requests get
// their turn.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../../domain/Account.ts"
import type { Alert, AlertId } from "../../../domain/Alert.ts"
import type { MarketId } from "../../../domain/Market.ts"
import { partitionOf } from "../../../domain/Partition.ts"
import type { SignalId } from "../../../domain/Signal.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { Journal } from "../../Journal.ts"
import { Portfolio } from "../../Portfolio.ts"
import { type Following, followed, StrategyStore } from "../../StrategyStore.ts"
import { breathe } from "../Breath.ts"
import type { ContextFor } from "../decide/Context.ts"
import { EngineLimits } from "../EngineLimits.ts"
import type { EngineState } from "../EngineState.ts"
import { timeIsUp } from "../prices/Deadlines.ts"
import type { BotEntry } from "../Roster.ts"
import type { Lane, Task } from "./Backlog.ts"
import { MAX_AT_ONCE } from "./HeldAlertRetry.ts"

/** Alerts read from the journal at a time. */
const BATCH = 500
/** Tasks added without a pause, so that the event loop can serve others. */
const TAKEN_AT_ONCE = 20_000
/** The same at the start, when storage is asked which tasks are judged already. */
const BATCH_AT_START = 50
/** For how long one turn reads alerts (ms). */
const READ_MS = 20
/** The fewest tasks of one slice, which is halved after a slice whose commit made it longer than `LONG_MS`. */
const LEAST_TASKS = 32
const LONG_MS = 20
/** How long a slice judges before it commits (ms). */
const SLICE_MS = 8
/** Tasks of one lane before the next lane gets its turn. */
const LANE_TASKS = 64

/** Lets a bot look at the prices of markets at a time (ms). */
type ApplyRules = (bot: BotEntry, markets: Iterable<MarketId>, contextFor: ContextFor, now: number) => void

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
export const make = Effect.fnUntraced(function* (engineState: EngineState, look: ApplyRules) {
  const journal = yield* Journal
  const store = yield* StrategyStore
  const portfolio = yield* Portfolio
  const { backlog } = engineState
  const { tasksPerSlice } = yield* EngineLimits
  const stored = yield* portfolio.cursors
  const before = yield* journal.last

  /**
   * The strategies that follow or followed the signals of these alerts. Query it after the alerts are read, so that
   * later changes come after them.
   */
  const followersOf = Effect.fnUntraced(function* (alerts: ReadonlyArray<Alert>) {
    const known = new Map<SignalId, ByAccount>()
    for (const { signalId } of alerts) {
      if (known.has(signalId)) continue
      known.set(signalId, byAccount(yield* store.followings(signalId)))
    }
    return known
  })

  /** Which bots had judged these alerts before this run started. */
  const judgedOf = (alerts: ReadonlyArray<Alert>) => {
    const old = alerts.filter(({ id }) => id <= before)
    return old.length === 0 ? Effect.succeed(NOTHING) : portfolio.judged(old.map(({ id }) => id))
  }

  /** Adds alerts to lanes up to a bound; true when all were added. */
  const take = (
    alerts: ReadonlyArray<Alert>,
    followers: ReadonlyMap<SignalId, ByAccount>,
    judged: ReadonlyMap<AlertId, ReadonlySet<StrategyId>>
  ): boolean => {
    let taken = 0
    for (const alert of alerts) {
      if (taken >= TAKEN_AT_ONCE) return false
      for (const [account, crowd] of followers.get(alert.signalId) ?? []) {
        if (alert.id <= (stored.get(partitionOf(account)) ?? 0)) continue
        const strategies = crowd.at(alert.id)
        backlog.add(account, alert, without(strategies, judged.get(alert.id)))
        taken += strategies.length
      }
      backlog.front = alert.id
    }
    return true
  }

  /** Reads some alerts beyond one, and whether the journal may hold more. */
  const some = Effect.fnUntraced(function* (after: number) {
    const limit = after < before ? BATCH_AT_START : BATCH
    const alerts = yield* journal.since(after, limit)
    return { alerts, isMore: alerts.length === limit }
  })

  /**
   * Reads what is in the journal at the call, in as many turns as it takes; says whether that was all. Lanes without room
   * leave their alerts in the journal, so that no account's alerts wait for another account's.
   */
  const read = Effect.gen(function* () {
    const last = yield* journal.last
    const begun = yield* Clock.currentTimeMillis
    for (;;) {
      const { alerts, isMore } = yield* some(backlog.front)
      const followers = yield* followersOf(alerts)
      const isAll = take(alerts, followers, yield* judgedOf(alerts))
      if (isAll && (!isMore || backlog.front >= last)) return true
      yield* breathe
      if ((yield* Clock.currentTimeMillis) - begun >= READ_MS) return false
    }
  })

  /** Refills a lane from the journal once half of its bound is free, some alerts at a time. */
  const refill = Effect.fnUntraced(function* (lane: Lane) {
    if (lane.cutAt === undefined || !lane.isHungry) return
    const { alerts } = yield* some(lane.cutAt - 1)
    const followers = yield* followersOf(alerts)
    const judged = yield* judgedOf(alerts)
    const strategiesOf = ({ id, signalId }: Alert) =>
      without(followers.get(signalId)?.get(lane.account)?.at(id) ?? [], judged.get(id))
    lane.refill(alerts, backlog.front, strategiesOf)
  })

  const judge = ({ alert, strategy }: Task, contextFor: ContextFor): void => {
    const bot = engineState.botOf(strategy, alert.receivedAt)
    engineState.engine.judge.receive(bot, alert, contextFor(bot))
  }

  /**
   * Judges tasks of a lane, or of one of its strategies, and returns how many. Stops at a bot whose order waits to be
   * sent.
   */
  const serve = (lane: Lane, contextFor: ContextFor, most: number, strategy?: StrategyId): number => {
    let count = 0
    for (; count < most; count++) {
      const task = lane.peek(strategy)
      if (task === undefined || engineState.isSending(task.strategy.id)) break
      lane.take(task)
      judge(task, contextFor)
    }
    return count
  }

  /** Lets due bots look at prices and deadlines, each after its own alerts; returns how much was done. */
  const serveDue = (lane: Lane, contextFor: ContextFor, now: number, most: number): number => {
    let count = 0
    for (const [id, markets] of lane.due) {
      if (count >= most) break
      count += serve(lane, contextFor, most - count, id)
      if (lane.peek(id) !== undefined || engineState.isSending(id)) continue
      lane.due.delete(id)
      count++
      Option.map(engineState.roster.get(id), (bot) =>
        engineState.engine.faults.safely(bot, () => {
          count += Math.min(bot.held.size, MAX_AT_ONCE)
          engineState.engine.held.resume(bot, contextFor(bot))
          look(bot, markets.values(), contextFor, now)
          if (bot.wakesAt <= now) timeIsUp(engineState, bot, contextFor)
        })
      )
    }
    return count
  }

  /** Tasks of the next slice: fewer after a slow one, whatever made it slow. */
  let pace = tasksPerSlice

  /** Runs and stores one slice of bounded work; true when more is left. */
  const slice = Effect.gen(function* () {
    if (backlog.isEmpty) return false
    const contextFor = yield* engineState.present
    const begun = yield* Clock.currentTimeMillis
    let left = pace
    let idle = 0
    while (left > 0 && idle < backlog.lanes && (yield* Clock.currentTimeMillis) - begun < SLICE_MS) {
      const lane = backlog.turn()
      if (lane === undefined) break
      yield* refill(lane)
      const most = Math.min(LANE_TASKS, left)
      const due = serveDue(lane, contextFor, begun, most)
      const count = due + serve(lane, contextFor, most - due)
      left -= count
      idle = count === 0 ? idle + 1 : 0
    }
    yield* engineState.settle()
    const took = (yield* Clock.currentTimeMillis) - begun
    pace = Math.min(tasksPerSlice, took > LONG_MS ? Math.max(LEAST_TASKS, pace / 2) : pace * 2)
    return !backlog.isEmpty
  })

  /** Judges what a strategy has left, at most so many alerts, ahead of all others; true when none is left. */
  const ahead = Effect.fnUntraced(function* (
    { account, id }: Pick<Strategy, "account" | "id">,
    most: number
  ) {
    for (let count = 0; ; count++) {
      const lane = backlog.laneOf(account)
      if (lane !== undefined) yield* refill(lane)
      const task = lane?.peek(id)
      if (lane === undefined || task === undefined) return lane?.cutAt === undefined
      if (count >= most) return false
      if (engineState.isSending(id)) yield* engineState.settle()
      const contextFor = yield* engineState.present
      lane.take(task)
      judge(task, contextFor)
    }
  })

  /** Reads, and judges a slice; whether all was read, and whether more is left. */
  const turn = Effect.gen(function* () {
    const isRead = yield* read
    const isLeft = yield* slice
    // A refill may have read past alerts that came meanwhile, so the bell alone does not tell of them.
    const isMore = isLeft || !isRead || (yield* journal.last) > backlog.front
    return { isRead, isMore }
  })

  /** Judges all that is in the journal at the call. */
  const drain = Effect.repeat(turn, { while: ({ isMore }) => isMore })

  return { read, turn, ahead, drain }
})

export type AlertJudging = Effect.Effect.Success<ReturnType<typeof make>>

const NOTHING: ReadonlyMap<AlertId, ReadonlySet<StrategyId>> = new Map()

type ByAccount = ReadonlyMap<AccountId, AccountFollowers>

/** The followings of one signal by strategies of one account. */
class AccountFollowers {
  readonly #followings: ReadonlyArray<Following>
  readonly #strategies: ReadonlyArray<Strategy>
  /** The alert id from which on all of them follow; infinite where one has stopped. */
  readonly #settledAt: number

  constructor(followings: ReadonlyArray<Following>) {
    this.#followings = followings
    this.#strategies = followings.map(({ strategy }) => strategy)
    const isOver = followings.some(({ until }) => until !== undefined)
    this.#settledAt = isOver ? Number.POSITIVE_INFINITY : Math.max(...followings.map(({ from }) => from))
  }

  /** The strategies that followed when an alert was stored: mostly all of them, and then the list is ready. */
  at(alert: AlertId): ReadonlyArray<Strategy> {
    if (alert > this.#settledAt) return this.#strategies
    return this.#followings.filter((it) => followed(it, alert)).map(({ strategy }) => strategy)
  }
}

/** Groups followings by account, cached by their list, which is never changed. */
const byAccount = (followings: ReadonlyArray<Following>): ByAccount => {
  const known = grouped.get(followings)
  if (known !== undefined) return known
  const all = new Map<AccountId, Array<Following>>()
  for (const following of followings) {
    const { account } = following.strategy
    const own = all.get(account)
    if (own === undefined) all.set(account, [following])
    else own.push(following)
  }
  const made = new Map(Array.from(all, ([account, own]) => [account, new AccountFollowers(own)]))
  grouped.set(followings, made)
  return made
}

const grouped = new WeakMap<ReadonlyArray<Following>, ByAccount>()

const without = (
  strategies: ReadonlyArray<Strategy>,
  judged: ReadonlySet<StrategyId> | undefined
): ReadonlyArray<Strategy> =>
  judged === undefined ? strategies : strategies.filter(({ id }) => !judged.has(id))
