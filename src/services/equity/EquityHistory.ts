// The port of strategies' equity over time, with its in-memory layer: the fold of each period, the points of its curve,
// thinned with age, and the groups of completed trades that each commit of the Portfolio keeps up.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EquityPoint } from "../../domain/equity/EquityFigures.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import * as Tracking from "../../trading/equity/Tracking.ts"
import * as TradeGroups from "../../trading/equity/TradeGroups.ts"
import { MemoryState } from "../records/MemoryState.ts"

/** A strategy after a sample; the last point of its curve is that of the sample. */
export interface Sampled {
  readonly strategy: StrategyId
  readonly tracked: Tracking.Tracked
}

/** A stretch of time whose points are kept together: one of a minute, and at most five of an hour or a day. */
export interface Stretch {
  readonly widthMs: number
  /** How long it is kept before it becomes part of the next wider one (ms); absent for ever. */
  readonly keptMs?: number
}

/** The stretches, narrowest first: minutes for 2 days, hours for 90, days for ever. */
export const STRETCHES = [
  { widthMs: 60_000, keptMs: 2 * 86_400_000 },
  { widthMs: 3_600_000, keptMs: 90 * 86_400_000 },
  { widthMs: 86_400_000 }
] as const satisfies ReadonlyArray<Stretch>

/** The most rows that one call of `thin` reads. */
export const MAX_THINNED = 1000

/** When the stretch of a time begins (ms). */
export const startOf = (at: number, { widthMs }: Stretch): number => Math.floor(at / widthMs) * widthMs

/** Stretches that begin before this become part of wider ones: whole ones, at the wider width. */
export const dueBefore = (now: number, keptMs: number, wider: Stretch): number => startOf(now - keptMs, wider)

/**
 * The equity of strategies over time. A port, which the sampler writes each minute.
 *
 * **An implementation keeps**
 *
 * - Atomicity: `store` stores all of its samples that belong to existing strategies, or nothing. A completed trade is
 *   in its groups from the moment that the Portfolio's commit ends, and counts once.
 * - Exactness: the fold is returned as it was given, to the last digit; sums of trades are exact decimals.
 * - Thinning: the lowest and highest point, and the deepest drawdown, survive in every stretch, as do its ends.
 * - Scope: a strategy's own; all of it goes with the strategy.
 * - Bounds: at most 2,880 minutes and 2,160 hours of a strategy, and a row for each day, once `thin` has caught up.
 * - Errors: dies with `StorageUnavailable` while nothing can be written; the sample is lost then.
 *
 * **Proved by** `EquityHistoryContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class EquityHistory extends Context.Tag("signalbox/services/equity/EquityHistory")<
  EquityHistory,
  {
    /** Stores a sample of each of these strategies in one transaction; those of deleted strategies are left out. */
    readonly store: (samples: ReadonlyArray<Sampled>) => Effect.Effect<void>
    /** The newest period of each of these strategies; strategies without a sample are missing. */
    readonly latest: (
      strategies: ReadonlyArray<StrategyId>
    ) => Effect.Effect<ReadonlyMap<StrategyId, Tracking.Tracked>>
    /** The stored points of a period, by time (ms). */
    readonly points: (strategy: StrategyId, period: number) => Effect.Effect<ReadonlyArray<EquityPoint>>
    /** The groups of the trades of a period, in any sequence. */
    readonly groups: (
      strategy: StrategyId,
      period: number
    ) => Effect.Effect<ReadonlyArray<TradeGroups.TradeGroup>>
    /** Thins the oldest points that are due at a time (ms), some at a time; returns whether more may be due. */
    readonly thin: (now: number) => Effect.Effect<boolean>
  }
>() {
  static readonly layerMemory = Layer.effect(
    EquityHistory,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const kept = new Map<StrategyId, Kept>()
      const keptOf = (strategy: StrategyId): Kept => {
        const known = kept.get(strategy)
        if (known !== undefined) return known
        const made: Kept = { tracked: undefined, rows: [] }
        kept.set(strategy, made)
        return made
      }
      /** Forgets strategies that were deleted. */
      const existing = (strategy: StrategyId) => {
        if (state.strategies.has(strategy)) return kept.get(strategy)
        kept.delete(strategy)
        return undefined
      }
      return EquityHistory.of({
        store: Effect.fn("EquityHistory.store")((samples) =>
          Effect.sync(() => {
            for (const id of kept.keys()) existing(id)
            for (const { strategy, tracked } of samples)
              if (state.strategies.has(strategy)) put(keptOf(strategy), tracked)
          })
        ),
        latest: Effect.fn("EquityHistory.latest")((strategies) =>
          Effect.sync(() => {
            const found = strategies.map((id) => [id, existing(id)?.tracked] as const)
            return new Map(found.flatMap(([id, tracked]) => (tracked === undefined ? [] : [[id, tracked]])))
          })
        ),
        points: Effect.fn("EquityHistory.points")((strategy, period) =>
          Effect.sync(() => sorted((existing(strategy)?.rows ?? []).filter((row) => row.period === period)))
        ),
        groups: Effect.fn("EquityHistory.groups")((strategy, period) =>
          Effect.sync(() => {
            if (!state.strategies.has(strategy)) return []
            const trades = state.trades.filter(
              (it) => it.strategy === strategy && (it.trade.period ?? 1) === period
            )
            return TradeGroups.groupsOf(trades.map(({ trade }) => trade))
          })
        ),
        thin: Effect.fn("EquityHistory.thin")((now) =>
          Effect.sync(() => {
            for (const one of kept.values()) one.rows = thinnedRows(one.rows, now)
            return false
          })
        )
      })
    })
  )
}

/** The points of one stretch. */
export interface Row {
  readonly period: number
  /** The index of its width in `STRETCHES`. */
  readonly span: number
  readonly since: number
  readonly points: ReadonlyArray<EquityPoint>
}

interface Kept {
  tracked: Tracking.Tracked | undefined
  rows: ReadonlyArray<Row>
}

/** The row of a sample's minute. */
export const minuteOf = (tracked: Tracking.Tracked): Row => ({
  period: tracked.period,
  span: 0,
  since: startOf(tracked.state.at, STRETCHES[0]),
  points: [Tracking.pointOf(tracked)]
})

/** The key of a row among those of its strategy. */
export const keyOf = ({ period, since, span }: Row): string => `${span} ${since} ${period}`

/** Two rows of one stretch together. */
export const joined = (one: Row | undefined, other: Row): Row =>
  one === undefined ? other : { ...other, points: Tracking.gist(byTime([...one.points, ...other.points])) }

/** The row as part of the next wider stretch. */
export const widened = (row: Row): Row => {
  const wider = STRETCHES[row.span + 1]
  return wider === undefined ? row : { ...row, span: row.span + 1, since: startOf(row.since, wider) }
}

/** All points of rows, by time. */
export const sorted = (rows: ReadonlyArray<Row>): ReadonlyArray<EquityPoint> =>
  byTime(rows.flatMap(({ points }) => points))

/** Points of the same time keep their sequence. */
const byTime = (points: ReadonlyArray<EquityPoint>): ReadonlyArray<EquityPoint> =>
  points.toSorted(([one], [other]) => one - other)

const put = (kept: Kept, tracked: Tracking.Tracked): void => {
  const row = minuteOf(tracked)
  const key = keyOf(row)
  const before = kept.rows.find((it) => keyOf(it) === key)
  kept.tracked = tracked
  kept.rows = [...kept.rows.filter((it) => it !== before), joined(before, row)]
}

const thinnedRows = (rows: ReadonlyArray<Row>, now: number): ReadonlyArray<Row> => {
  let left = rows
  for (const [span, { keptMs, wider }] of widening.entries()) {
    const before = dueBefore(now, keptMs, wider)
    const due = left.filter((row) => row.span === span && row.since < before)
    const others = left.filter((row) => row.span !== span || row.since >= before)
    const merged = new Map(others.map((row) => [keyOf(row), row]))
    for (const row of due.map(widened).toSorted((one, other) => one.since - other.since))
      merged.set(keyOf(row), joined(merged.get(keyOf(row)), row))
    left = [...merged.values()]
  }
  return left
}

/** The stretches that end, and the wider ones that they become part of. */
export const widening = [
  { keptMs: STRETCHES[0].keptMs, wider: STRETCHES[1] },
  { keptMs: STRETCHES[1].keptMs, wider: STRETCHES[2] }
]
