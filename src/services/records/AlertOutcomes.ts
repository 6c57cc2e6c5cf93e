// Reads alerts with the outcomes that the account's own strategies have given them so far.
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import type { Alert, AlertNotFound, Outcome } from "../../domain/Alert.ts"
import { type AlertPage, Journal } from "../Journal.ts"
import { type OutcomePage, Timeline } from "../Timeline.ts"

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
}

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

  return { get, list }
})
