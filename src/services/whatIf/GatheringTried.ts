// Reads from the ports what a what-if needs: the record of a strategy's life, on the stretch that was asked for or that
// is recorded, and the settings as they would be changed.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { AccountId } from "../../domain/Account.ts"
import { utcText } from "../../domain/internal/DateFormat.ts"
import type { VenueList } from "../../domain/market/VenueList.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { Violations } from "../../domain/requests/Violations.ts"
import type { Settings, StrategyNotFound } from "../../domain/Strategy.ts"
import * as WhatIfRequest from "../../domain/whatIf/WhatIfRequest.ts"
import { exchangeFor } from "../../trading/Routing.ts"
import type { Recording } from "../Backtester.ts"
import * as Gathering from "../compare/Gathering.ts"
import { KEPT_DAYS } from "../Journal.ts"
import { StrategyStore } from "../StrategyStore.ts"
import type { Tried } from "./Trying.ts"

const DAY_MS = 86_400_000

/** The ports that a what-if is gathered from. */
export type Sources = Gathering.Records

/** What is wanted: the body of a request, and which candles are stored. */
export interface Wanted {
  readonly body: Fields
  readonly venues: VenueList
  readonly recordings: ReadonlyArray<Pick<Recording, "exchange" | "from" | "pair">>
}

/**
 * Gathers the record of the caller's own strategy. Without a beginning it is that of the bot's present period, or the
 * first candle of its pairs where that is later; never before alerts are kept.
 */
export const gather: (
  account: AccountId,
  id: number,
  wanted: Wanted
) => Effect.Effect<Tried, Gathering.NotCompared | StrategyNotFound | Violations, Sources> = Effect.fn(
  "WhatIf.gather"
)(function* (account, id, { body, recordings, venues }) {
  const { settings: stored } = yield* Effect.flatMap(StrategyStore, (store) => store.get(account, id))
  const request = WhatIfRequest.read(body, stored, venues)
  if (Either.isLeft(request)) return yield* Violations.of(request.left)
  const { settings, from, until } = request.right
  const now = yield* Clock.currentTimeMillis
  const kept = now - KEPT_DAYS * DAY_MS
  const first = firstCandle(recordings, [stored, settings])
  const wantedFrom = Math.max(kept, from ?? first ?? 0)
  const gathered = yield* Gathering.gather(account, id, { from: wantedFrom, until })
  return { account, gathered, settings, notices: beginningOf(gathered, { from, first, kept }) }
})

/** The first candle (ms) of a pair that either settings trade. */
const firstCandle = (recordings: Wanted["recordings"], both: ReadonlyArray<Settings>): number | undefined => {
  const times = recordings
    .filter(({ exchange, pair }) => both.some((settings) => exchangeFor(settings, pair) === exchange))
    .map(({ from }) => from)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Why it begins later than the bot did, or than was asked for. */
const beginningOf = (
  { periodFrom }: Gathering.Gathered,
  {
    first,
    from,
    kept
  }: { readonly from?: number | undefined; readonly first: number | undefined; readonly kept: number }
): ReadonlyArray<string> => {
  if (Math.max(from ?? 0, periodFrom) < kept)
    return [`alerts are kept for ${KEPT_DAYS} days: it begins at ${utcText(kept)} at the earliest`]
  if (from !== undefined || first === undefined || first <= periodFrom) return []
  return [`the first candle on record is of ${utcText(first)}: it begins there, and not with the bot`]
}
