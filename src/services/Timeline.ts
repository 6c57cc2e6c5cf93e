// The port that reads back what bots did and why, with its in-memory layer. Entries are written by the portfolio's
// commits and by changes of signals, never here.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../domain/Account.ts"
import type { AlertId, Outcome } from "../domain/Alert.ts"
import { StrategyNotFound } from "../domain/Strategy.ts"
import type { TimelineEntry } from "../domain/Timeline.ts"
import { MemoryState, newest } from "./records/MemoryState.ts"

/** A stretch of each alert's outcomes. */
export interface OutcomePage {
  readonly limit?: number
  /** A strategy's id. */
  readonly after?: number
}

/** What was announced to an account, or to everybody: an entry of no strategy's timeline. `at` in ms. */
export type Announcement = Pick<TimelineEntry, "at" | "rule" | "facts">

/** Which announcements are wanted: of these rules, from `from` until before `until` (ms), at most `limit`. */
export interface AnnouncementQuery {
  readonly rules: ReadonlyArray<string>
  readonly from: number
  readonly until: number
  readonly limit: number
}

/**
 * Timelines and outcomes, read back. A port: entries are written by the portfolio's commits and by changes of signals.
 *
 * **An implementation keeps**
 *
 * - Scope: the account's own strategies; another account's, or a missing one, is `StrategyNotFound`. Outcomes are those
 *   of the account's own strategies, also for alerts that others sent. Announcements are those to the account and to
 *   everybody.
 * - Order: entries newest first, by ids that are never reused, in pages that neither skip nor repeat; outcomes sorted
 *   by alert and strategy.
 * - Freshness: what a commit stored is visible from the moment it ends.
 *
 * **Proved by** `TimelineContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Timeline extends Context.Tag("signalbox/services/Timeline")<
  Timeline,
  {
    /**
     * Lists the entries of the caller's own strategy, newest first: at most `limit`, with ids below `before` where
     * given.
     */
    readonly list: (
      account: AccountId,
      strategy: number,
      page: { readonly limit: number; readonly before?: number }
    ) => Effect.Effect<ReadonlyArray<TimelineEntry>, StrategyNotFound>
    /** Lists the oldest announcements of a stretch of time. */
    readonly announced: (
      account: AccountId,
      query: AnnouncementQuery
    ) => Effect.Effect<ReadonlyArray<Announcement>>
    /**
     * Reads the outcomes that the account's own strategies gave these alerts, sorted by alert and strategy: at most `limit`
     * of each alert, of strategies beyond `after`, where given. The rest is not read.
     */
    readonly outcomes: (
      account: AccountId,
      alerts: ReadonlyArray<AlertId>,
      page?: OutcomePage
    ) => Effect.Effect<ReadonlyArray<Outcome>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Timeline,
    Effect.map(MemoryState, (state) => ({
      list: Effect.fn("Timeline.list")((account, strategy, page) =>
        Effect.suspend(() => {
          const own = state.strategies.get(strategy)
          if (own?.account !== account) return new StrategyNotFound()
          const rows = newest(state.timeline, page, (row) => row.strategy === strategy)
          return Effect.succeed(rows.map(({ id, note }) => ({ id, strategyId: own.id, ...note })))
        })
      ),
      announced: Effect.fn("Timeline.announced")((account, { from, limit, rules, until }) =>
        Effect.sync(() =>
          state.timeline
            .filter(
              ({ account: to, note, strategy }) =>
                strategy === NO_STRATEGY &&
                (to === account || to === EVERYBODY) &&
                rules.includes(note.rule) &&
                note.at >= from &&
                note.at < until
            )
            .slice(0, limit)
            .map(({ note: { at, facts, rule } }) => ({ at, facts, rule }))
        )
      ),
      outcomes: Effect.fn("Timeline.outcomes")((account, alerts, { after = 0, limit = ALL } = {}) =>
        Effect.sync(() => {
          const alertIds = new Set(alerts)
          const counts = new Map<AlertId, number>()
          return [...state.outcomes.values()]
            .filter((it) => it.account === account && alertIds.has(it.alertId) && it.strategyId > after)
            .sort((a, b) => a.alertId - b.alertId || a.strategyId - b.strategyId)
            .filter(({ alertId }) => {
              const count = (counts.get(alertId) ?? 0) + 1
              counts.set(alertId, count)
              return count <= limit
            })
        })
      )
    }))
  )
}

const ALL = Number.POSITIVE_INFINITY
/** Announcements concern no strategy; those to everybody bear no account. */
const NO_STRATEGY = 0
const EVERYBODY = 0
