// The port of the what-ifs that an owner tried, with its in-memory layer. They are counted, because the best of many
// tries is lucky.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { Decimal } from "../../domain/Decimal.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Stretch } from "../../trading/compare/LiveRecord.ts"
import type { SettingChange } from "../../trading/whatIf/SettingChanges.ts"
import { MemoryState } from "./MemoryState.ts"

/**
 * Changed settings that were tried on a stretch (ms, `until` excluded). `digest` is that of the settings that decide
 * about a trade, `at` when they were tried (ms), `net` the net result (quote), `sharpe` the Sharpe ratio of a day.
 */
export interface WhatIfTry extends Stretch {
  readonly digest: string
  readonly at: number
  readonly changes: ReadonlyArray<SettingChange>
  readonly net: Decimal
  readonly trades: number
  readonly sharpe: number
}

/** The most tries of a strategy, the newest. */
export const MAX_TRIES = 500

/**
 * The what-ifs that were tried on a strategy. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: the account's own strategies. Nothing is kept for a strategy that is another's or gone.
 * - Repeats: the same settings on a stretch with the same beginning are one try, the last one.
 * - Bounds: the newest `MAX_TRIES` of a strategy, and none of a deleted one.
 * - Exactness: results come back to the last digit.
 *
 * **Proved by** `WhatIfTriesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class WhatIfTries extends Context.Tag("signalbox/services/records/WhatIfTries")<
  WhatIfTries,
  {
    /** Keeps a try. */
    readonly keep: (account: AccountId, strategy: StrategyId, tried: WhatIfTry) => Effect.Effect<void>
    /** Lists the tries whose stretch overlaps this one, each of its settings once: the newest, newest first. */
    readonly overlapping: (
      account: AccountId,
      strategy: StrategyId,
      stretch: Stretch
    ) => Effect.Effect<ReadonlyArray<WhatIfTry>>
  }
>() {
  static readonly layerMemory = Layer.effect(
    WhatIfTries,
    Effect.map(MemoryState, ({ strategies }) => {
      const tries = new Map<StrategyId, ReadonlyArray<WhatIfTry>>()
      const isOwn = (account: AccountId, id: StrategyId) => strategies.get(id)?.account === account
      return WhatIfTries.of({
        keep: Effect.fn("WhatIfTries.keep")((account, id, tried) =>
          Effect.sync(() => {
            for (const known of tries.keys()) if (!strategies.has(known)) tries.delete(known)
            if (!isOwn(account, id)) return
            const others = (tries.get(id) ?? []).filter((other) => !isRepeat(other, tried))
            tries.set(id, newestFirst([tried, ...others]).slice(0, MAX_TRIES))
          })
        ),
        overlapping: Effect.fn("WhatIfTries.overlapping")((account, id, stretch) =>
          Effect.sync(() => {
            const own = isOwn(account, id) ? (tries.get(id) ?? []) : []
            return eachOnce(own.filter(({ from, until }) => from < stretch.until && until > stretch.from))
          })
        )
      })
    })
  )
}

const isRepeat = (one: WhatIfTry, other: WhatIfTry): boolean =>
  one.digest === other.digest && one.from === other.from

const newestFirst = (tries: ReadonlyArray<WhatIfTry>): ReadonlyArray<WhatIfTry> =>
  tries.toSorted((one, other) => other.at - one.at)

/** Of tries, newest first, those whose settings are in none before. */
export const eachOnce = (tries: ReadonlyArray<WhatIfTry>): ReadonlyArray<WhatIfTry> => {
  const digests = new Set<string>()
  return tries.filter(({ digest }) => {
    const isNew = !digests.has(digest)
    digests.add(digest)
    return isNew
  })
}
