// The in-memory layer of back-tests over HTTP, which runs them in the calling thread.
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { VenueList } from "../../domain/market/VenueList.ts"
import { type BacktestRequest, MAX_ALERTS } from "../../domain/requests/BacktestRequest.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { Violations } from "../../domain/requests/Violations.ts"
import * as AlertsFile from "../../trading/backtest/AlertsFile.ts"
import { read } from "../../trading/backtest/BacktestBody.ts"
import * as BacktestRun from "../../trading/backtest/BacktestRun.ts"
import { NONE } from "../../trading/candles/Bars.ts"
import { Backtester } from "../Backtester.ts"
import * as Comparing from "../compare/Comparing.ts"
import * as Gathering from "../compare/Gathering.ts"
import { Decisions } from "../engine/Decisions.ts"
import { factsOf } from "../feeds/MarketFacts.ts"
import { Venues } from "../feeds/Venues.ts"
import { Meters } from "../health/Meters.ts"
import { Journal } from "../Journal.ts"
import { Markets } from "../Markets.ts"
import { MemoryState } from "../records/MemoryState.ts"
import * as GatheringTried from "../whatIf/GatheringTried.ts"
import * as Trying from "../whatIf/Trying.ts"
import * as AlertAccess from "./AlertAccess.ts"
import { BacktestClaims } from "./BacktestClaims.ts"
import { BacktestUnreadable } from "./Failures.ts"
import * as Slots from "./Slots.ts"

/** Runs in the calling thread, so only small back-tests are allowed. There are no recordings. */
export const layer = Layer.effect(
  Backtester,
  Effect.gen(function* () {
    const markets = yield* Markets
    const wanted = yield* AlertAccess.make
    const onRecord = yield* recorded
    const { now } = yield* Meters
    const venues = yield* Venues
    const { own } = yield* Decisions
    const slot = Slots.make(undefined, yield* BacktestClaims)
    const records = yield* Effect.context<Gathering.Records | Markets>()
    // Files carry real times, whatever the test clock says.
    const calendar = Clock.make()

    const answer = Effect.fnUntraced(function* (account: AccountId, bytes: Uint8Array) {
      const startedAt = now()
      const request = yield* requestOf(bytes, venues)
      const alerts =
        request.alerts._tag === "OnRecord" ? yield* onRecord(yield* wanted(account, request.alerts)) : []
      const view = BacktestRun.run(request, {
        ground: factsOf(yield* markets.catalogue),
        most: MAX_CANDLES_HERE,
        candles: () => Either.left("there are no recorded prices on this server: upload a file"),
        alerts: () => Either.right(alerts),
        own,
        now: calendar.unsafeCurrentTimeMillis(),
        elapsed: () => now() - startedAt
      })
      return Either.isLeft(view) ? yield* Violations.of(view.left) : JSON.stringify(view.right)
    })
    return {
      run: (account, body) => slot(account, body, (bytes) => answer(account, bytes)),
      compare: (account, strategy, wanted) =>
        slot(account, Effect.void, () => Effect.provide(compared(account, strategy, wanted), records)),
      whatIf: (account, strategy, body) =>
        slot(account, body, (fields) => Effect.provide(tried(account, strategy, fields), records)),
      recordings: Effect.succeed([])
    }
  })
)

/** A comparison without candles: it says that there are none. */
const compared = Effect.fnUntraced(function* (account: AccountId, id: number, wanted: Gathering.Wanted) {
  const gathered = yield* Gathering.gather(account, id, wanted)
  const facts = factsOf(yield* Effect.flatMap(Markets, (markets) => markets.catalogue))
  const series = Comparing.placesOf(gathered).map(({ exchange, pair }) => ({ exchange, pair, columns: NONE }))
  const view = Comparing.compared(gathered, { ...facts, series })
  return typeof view === "string" ? yield* new Gathering.NotCompared({ message: view }) : JSON.stringify(view)
})

/** A what-if without candles: it says that there are none. */
const tried = Effect.fnUntraced(function* (account: AccountId, id: number, body: Fields) {
  const request = { body, venues: yield* Venues, recordings: [] }
  const found = yield* GatheringTried.gather(account, id, request)
  const facts = factsOf(yield* Effect.flatMap(Markets, (markets) => markets.catalogue))
  const series = Trying.candlePlaces(found).map(({ exchange, pair }) => ({ exchange, pair, columns: NONE }))
  const result = Trying.tried(found, { ...facts, series })
  return yield* new Gathering.NotCompared({
    message: typeof result === "string" ? result : "there are no candles on this server"
  })
})

/** The most candles that may be walked in the calling thread without delaying others. */
const MAX_CANDLES_HERE = 50_000

/** Parses the request. */
const requestOf = (
  bytes: Uint8Array,
  venues: VenueList
): Effect.Effect<BacktestRequest, BacktestUnreadable | Violations> =>
  Either.match(read(bytes, venues), {
    onLeft: (error) =>
      typeof error === "string" ? new BacktestUnreadable({ message: error }) : Violations.of(error),
    onRight: Effect.succeed
  })

/** The recorded alerts that the request wants, oldest first. */
const recorded = Effect.gen(function* () {
  const journal = yield* Journal
  const { outcomes } = yield* MemoryState
  return Effect.fnUntraced(function* ({ account, from, signal, strategy, until }: AlertAccess.AlertAccess) {
    const answered = [...outcomes.values()].filter(({ strategyId }) => strategyId === strategy)
    const alerts =
      strategy === undefined
        ? [...(yield* journal.list(account, { limit: MAX_ALERTS + 1 }))].reverse()
        : yield* journal.among(answered.map(({ alertId }) => alertId))
    return alerts
      .filter(({ receivedAt, signalId }) => signalId === signal && receivedAt >= from && receivedAt < until)
      .flatMap(AlertsFile.timedOf)
  })
})
