// The schedules of rules at work: what falls due is raised like an alert of a candle, and then it is stored how far the
// clock was looked at. The times are those of a back-test.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { millisOf } from "../../domain/candles/Timeframe.ts"
import { type MarketId, marketKey } from "../../domain/Market.ts"
import type { RuleSchedule } from "../../domain/signalRule/SignalRule.ts"
import { lastTimesOf, timesFrom } from "../../trading/signalRule/RuleTimes.ts"
import { breathe } from "../engine/Breath.ts"
import type { Raising } from "./Raising.ts"
import type { Raised } from "./RuleAlertDraft.ts"
import type { RuleBook } from "./RuleBook.ts"
import { MAX_CATCH_UP_MS, type WorkingRule } from "./WorkingRule.ts"

/** The place of a schedule among those where a rule looks. */
export const SCHEDULE = "schedule"
/** The most times of one line that are raised after an outage: the last of them. */
const MAX_LATE = 100
/** How long an alert of a schedule waits for a candle of its rule that closes at the same time (ms): what that raises comes first. */
const CANDLE_MS = 5_000
/** Alerts that are made before others get a turn. */
const ALERTS_AT_A_TIME = 500

/** A line of a schedule with its next time. */
interface Line {
  readonly by: string
  readonly of: RuleSchedule
  readonly times: Generator<number, void>
  next: number
}

/** The lines of rules, each with its next time after what was looked at. */
export class RuleClock {
  readonly #lines = new WeakMap<WorkingRule, ReadonlyArray<Line>>()

  /** The times of a rule (ms) from after `lookedAt` up to `now`, ascending, each with its line. */
  due(
    rule: WorkingRule,
    lookedAt: number,
    now: number
  ): ReadonlyArray<Pick<Line, "by" | "of"> & { readonly at: number }> {
    const known = this.#lines.get(rule)
    const lines = known ?? rule.rule.schedule.map((of, index) => lineOf(of, index, now))
    this.#lines.set(rule, lines)
    const late = known === undefined ? lines.flatMap((line) => lateOf(line, lookedAt, now)) : []
    const due = lines.flatMap((line) =>
      Array.from(taken(line, now), (at) => ({ at, by: line.by, of: line.of }))
    )
    const all = [...late, ...due.filter(({ at }) => at > lookedAt)]
    return all.length < 2 ? all : all.sort((one, other) => one.at - other.at)
  }

  /** What was taken of a rule was not raised: it is found again. */
  forget(rule: WorkingRule): void {
    this.#lines.delete(rule)
  }

  /** The next time of a rule (ms): at once where it was never looked at. */
  nextOf(rule: WorkingRule): number {
    const lines = this.#lines.get(rule)
    return lines === undefined
      ? Number.NEGATIVE_INFINITY
      : lines.reduce((first, { next }) => Math.min(first, next), Number.POSITIVE_INFINITY)
  }
}

const lineOf = (of: RuleSchedule, index: number, now: number): Line => {
  const times = timesFrom(of, now + 1)
  return { by: `schedule[${index}]`, of, times, next: nextIn(times) }
}

const nextIn = (times: Generator<number, void>): number => {
  const { value } = times.next()
  return typeof value === "number" ? value : Number.POSITIVE_INFINITY
}

/** The times that passed while nobody looked. */
const lateOf = ({ by, of }: Line, lookedAt: number, now: number) => {
  const from = Math.max(lookedAt + 1, now - MAX_CATCH_UP_MS)
  return from > now ? [] : lastTimesOf(of, { from, to: now, most: MAX_LATE }).map((at) => ({ at, by, of }))
}

/** Takes the times up to `now` (ms); of many, the last. */
const taken = (line: Line, now: number): ReadonlyArray<number> => {
  const times: Array<number> = []
  for (; line.next <= now; line.next = nextIn(line.times)) {
    times.push(line.next)
    if (times.length > MAX_LATE) times.shift()
  }
  return times
}

/** Makes the effect that raises what is due: where nothing is, it costs next to nothing. */
export const make = (book: RuleBook, { lookedUpTo, raise }: Pick<Raising, "lookedUpTo" | "raise">) => {
  const clock = new RuleClock()
  /** The next time of all rules (ms), as the book was after so many changes. */
  const next = { at: Number.NEGATIVE_INFINITY, changes: -1 }

  const look = Effect.fnUntraced(function* (rule: WorkingRule, now: number) {
    const stored = rule.lookedAt.get(SCHEDULE)
    const raised = alertsOf(rule, clock.due(rule, stored ?? rule.since, now))
    for (let from = 0; from < raised.length; from += ALERTS_AT_A_TIME) {
      yield* raise(raised.slice(from, from + ALERTS_AT_A_TIME))
      yield* breathe
    }
    // A rule that is new is stored too: its signal may be renamed before its first time has come.
    if (raised.length > 0 || stored === undefined)
      yield* lookedUpTo([{ rule, place: SCHEDULE, lookedAt: Math.max(stored ?? 0, now) }])
  })

  const lookAtAll = Effect.fnUntraced(function* (now: number) {
    const { changes } = book
    const scheduled = Array.from(book.rules()).filter(({ rule }) => rule.schedule.length > 0)
    for (const rule of scheduled)
      if (book.isAtWork(rule) && clock.nextOf(rule) <= now && !awaitsCandle(rule, clock.nextOf(rule), now))
        yield* Effect.onError(look(rule, now), () => Effect.sync(() => clock.forget(rule)))
    next.at = scheduled.reduce((first, rule) => Math.min(first, clock.nextOf(rule)), Number.POSITIVE_INFINITY)
    next.changes = changes
  })

  return Effect.flatMap(Clock.currentTimeMillis, (now) =>
    next.changes === book.changes && now < next.at ? Effect.void : lookAtAll(now)
  )
}

/** Whether a rule is about to look at a candle that closed at a time (ms), which comes first in a back-test too. */
const awaitsCandle = ({ rule, lookedAt }: WorkingRule, at: number, now: number): boolean => {
  const span = millisOf(rule.timeframe)
  if (rule.on.length === 0 || at % span !== 0 || now - at >= CANDLE_MS) return false
  return rule.markets.some((market) => lookedAt.get(marketKey(market)) === at - span)
}

const alertsOf = (rule: WorkingRule, due: ReturnType<RuleClock["due"]>): ReadonlyArray<Raised> =>
  due.flatMap(({ at, by, of: { type } }) =>
    rule.rule.markets.map(
      (market: MarketId): Raised => ({
        ...{ rule, market, by, at },
        ...{ close: undefined, values: [], instruction: { type } }
      })
    )
  )
