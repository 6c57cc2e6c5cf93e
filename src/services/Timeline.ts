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

/**
 * Timelines and outcomes, read back. A port: entries are written by the portfolio's commits and by changes of signals.
 *
 * **An implementation keeps**
 *
 * - Scope: the account's own strategies; another account's, or a missing one, is `StrategyNotFound`. Outcomes are those
 *   of the account's own strategies, also for alerts that others sent.
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
