// Reads alerts with the outcomes that the account's own strategies have given them so far.
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { type Alert, type AlertNotFound, type Outcome, outcomeOf, type Reason } from "../../domain/Alert.ts"
import { type AlertPage, Journal } from "../Journal.ts"
import { type OutcomePage, Timeline } from "../Timeline.ts"
import { belowTime, type FoundBack, NEWEST, searchBack } from "./SearchBack.ts"

/** An alert with the outcomes that the account's own strategies have given it so far. */
export interface Judged {
  readonly alert: Alert
  readonly outcomes: ReadonlyArray<Outcome>
  /** Whether there are more: a list shows the first of them. */
  readonly hasMore: boolean
}

/** The most outcomes of an alert in a list: a thousand strategies may follow each of hundreds of alerts. */
export const OUTCOMES_OF_ROW = 100

/**
 * How many alerts' outcomes to read first, and the number of outcomes after which other work gets a turn: each of
 * hundreds of alerts may have the outcomes of a thousand strategies.
 */
const FEW = 8
const MANY_OUTCOMES = 2_000

/** The reads of alerts with their outcomes. */
export interface AlertOutcomes {
  readonly get: (
    account: AccountId,
    id: number,
    page?: OutcomePage
  ) => Effect.Effect<Pick<Judged, "alert" | "outcomes">, AlertNotFound>
  readonly list: (account: AccountId, page: AlertPage) => Effect.Effect<ReadonlyArray<Judged>>
  /** Searches the account's alerts, newest first; one search reads a bounded number of them. */
  readonly search: (
    account: AccountId,
    page: AlertPage,
    filter: AlertFilter
  ) => Effect.Effect<FoundBack<Judged>>
}

/**
 * What every alert found has in common; an absent field excludes nothing. `pair` is a part of the pair, in capitals;
 * `outcome` and `reason` are of at least one strategy. `from` and `until` are times of arrival (ms, `until` exclusive).
 */
export interface AlertFilter {
  readonly pair?: string
  readonly outcome?: "acted" | "ignored"
  readonly reason?: Reason
  readonly from?: number
  readonly until?: number
}

/** Whether an alert is one of those searched, before its outcomes are known. */
const isSearched = (
  { coin, quoteCurrency, receivedAt }: Alert,
  { from = 0, pair = "", until = Number.POSITIVE_INFINITY }: AlertFilter
): boolean => `${coin}/${quoteCurrency}`.includes(pair) && receivedAt >= from && receivedAt < until

/** Whether its outcomes are. Of outcomes beyond the list nothing is known, so that the alert may be one. */
const isJudgedSo = ({ hasMore, outcomes }: Judged, { outcome, reason }: AlertFilter): boolean =>
  (outcome === undefined && reason === undefined) ||
  hasMore ||
  outcomes.some(
    (it) =>
      (reason === undefined || it.reason === reason) &&
      (outcome === undefined || outcomeOf(it.reason) === outcome)
  )

/** Makes the two reads. */
export const make = Effect.gen(function* () {
  const journal = yield* Journal
  const timeline = yield* Timeline

  const judged = Effect.fnUntraced(function* (account: AccountId, alerts: ReadonlyArray<Alert>) {
    const found: Array<Judged> = []
    for (let size = FEW; found.length < alerts.length; ) {
      const some = alerts.slice(found.length, found.length + size)
      const outcomes = yield* timeline.outcomes(
        account,
        some.map(({ id }) => id),
        { limit: OUTCOMES_OF_ROW + 1 }
      )
      const byAlert = Arr.groupBy(outcomes, ({ alertId }) => String(alertId))
      for (const alert of some) {
        const own = byAlert[alert.id] ?? []
        const hasMore = own.length > OUTCOMES_OF_ROW
        found.push({ alert, outcomes: own.slice(0, OUTCOMES_OF_ROW), hasMore })
      }
      if (outcomes.length < MANY_OUTCOMES) size *= 2
      else {
        size = Math.max(1, size >> 1)
        yield* Effect.sleep(0)
      }
    }
    return found
  })

  const get: AlertOutcomes["get"] = Effect.fn("Alerts.get")(function* (account, id, page) {
    const alert = yield* journal.get(account, id)
    const outcomes = yield* timeline.outcomes(account, [alert.id], page)
    return { alert, outcomes }
  })

  const list: AlertOutcomes["list"] = Effect.fn("Alerts.list")(function* (account, page) {
    return yield* judged(account, yield* journal.list(account, page))
  })

  const search = searching(journal, judged)

  return { get, list, search }
})

/** Makes the search: what an alert itself says is looked at first, so that few outcomes are read. */
const searching = (
  journal: typeof Journal.Service,
  judged: (account: AccountId, alerts: ReadonlyArray<Alert>) => Effect.Effect<ReadonlyArray<Judged>>
): AlertOutcomes["search"] =>
  Effect.fn("Alerts.search")(function* (account, { before = NEWEST, limit, ...scope }, filter) {
    const read = (page: { readonly limit: number; readonly before: number }) =>
      journal.list(account, { ...scope, ...page })
    const { from = 0, until } = filter
    const newest =
      until === undefined ? NEWEST : yield* belowTime(read, ({ receivedAt }) => receivedAt, until)
    return yield* searchBack<Alert, Judged, never>({
      read,
      among: (alerts) =>
        Effect.map(
          judged(
            account,
            alerts.filter((alert) => isSearched(alert, filter))
          ),
          (rows) => rows.filter((row) => isJudgedSo(row, filter))
        ),
      idOf: ({ alert }) => alert.id,
      isPast: ({ receivedAt }) => receivedAt < from,
      before: Math.min(before, newest),
      limit
    })
  })
