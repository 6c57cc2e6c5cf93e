// Searches a strategy's timeline by part, reason, pair and time.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { outcomeOf, type Reason } from "../../domain/Alert.ts"
import type { StrategyNotFound } from "../../domain/Strategy.ts"
import type { TimelineEntry } from "../../domain/Timeline.ts"
import type { Timeline } from "../Timeline.ts"
import { belowTime, type FoundBack, NEWEST, searchBack } from "./SearchBack.ts"

/**
 * What every entry found has in common; an absent field excludes nothing. `acted` and `ignored` are alerts; `rest` is
 * everything but ignored alerts. `pair` is a part of the pair, in capitals. `from` and `until` in ms, `until` exclusive.
 */
export interface TimelineFilter {
  readonly part?: "acted" | "ignored" | "rest"
  readonly reason?: Reason
  readonly pair?: string
  readonly from?: number
  readonly until?: number
}

/** Whether the filter finds an entry. */
export const isFound = (entry: TimelineEntry, filter: TimelineFilter): boolean => {
  const { from = 0, pair, part, reason, until = Number.POSITIVE_INFINITY } = filter
  const own = Option.getOrUndefined(entry.reason)
  const outcome = entry.rule === "alert" && own !== undefined ? outcomeOf(own) : undefined
  const { market, pair: named } = entry.facts
  return (
    entry.at >= from &&
    entry.at < until &&
    (reason === undefined || reason === own) &&
    (part === undefined || (part === "rest" ? outcome !== "ignored" : outcome === part)) &&
    (pair === undefined || String(named ?? market ?? "").includes(pair))
  )
}

/** Finds the entries of a page, newest first; one search reads a bounded number of them. */
export const search = (
  timeline: typeof Timeline.Service,
  of: { readonly account: AccountId; readonly strategy: number },
  page: { readonly limit: number; readonly before?: number },
  filter: TimelineFilter
): Effect.Effect<FoundBack<TimelineEntry>, StrategyNotFound> =>
  Effect.gen(function* () {
    const read = (some: { readonly limit: number; readonly before: number }) =>
      timeline.list(of.account, of.strategy, some)
    const { from = 0, until } = filter
    const newest = until === undefined ? NEWEST : yield* belowTime(read, ({ at }) => at, until)
    return yield* searchBack<TimelineEntry, TimelineEntry, StrategyNotFound>({
      read,
      among: (entries) => Effect.succeed(entries.filter((entry) => isFound(entry, filter))),
      idOf: ({ id }) => id,
      isPast: ({ at }) => at < from,
      before: Math.min(page.before ?? NEWEST, newest),
      limit: page.limit
    })
  })
