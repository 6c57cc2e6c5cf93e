// The routes that read alerts with their outcomes, and timelines.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import { alertView } from "../../api/History.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { Incoming } from "../../domain/alert/Incoming.ts"
import { Alerts } from "../../services/Alerts.ts"
import { Journal } from "../../services/Journal.ts"
import { type Judged, OUTCOMES_OF_ROW } from "../../services/records/AlertOutcomes.ts"
import { Timeline } from "../../services/Timeline.ts"
import { locationOf } from "../alerts/AlertResponses.ts"
import { refuse } from "../Problems.ts"
import * as Pages from "../request/Pages.ts"
import * as Answers from "../views/Answers.ts"
import * as Timelines from "./Timelines.ts"

/** Rows of a response without a `limit`. */
const DEFAULT_LIMIT = 100

/** A row of the list, with a link to the outcomes that it leaves out. */
const viewOf = ({ alert, hasMore, outcomes }: Judged, incoming: Incoming | undefined) => {
  const last = outcomes.at(-1)
  if (!hasMore || last === undefined) return alertView(alert, outcomes, { incoming })
  const query = `limit=${OUTCOMES_OF_ROW}&cursor=${Pages.encodeCursor(last.strategyId)}`
  return alertView(alert, outcomes, { incoming, next: `${locationOf(alert.id)}?${query}` })
}

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "history", (handlers) =>
  Effect.gen(function* () {
    const alerts = yield* Alerts
    const journal = yield* Journal

    const list = Effect.fn("http.History.alerts")(function* (query: Pages.PageQuery) {
      const { account } = yield* Caller
      const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...query })
      const found = yield* alerts.list(account, Pages.before(page, DEFAULT_LIMIT))
      const { headers, rows } = yield* Pages.cut(found, page, ({ alert }) => alert.id)
      const incoming = yield* journal.incoming(
        account,
        rows.map(({ alert }) => alert.id)
      )
      return yield* Answers.list(rows, (row) => viewOf(row, incoming.get(row.alert.id)), headers)
    })
    const get = Effect.fn("http.History.alert")(function* (id: number, query: Pages.PageQuery) {
      const { account } = yield* Caller
      const page = yield* Pages.read(query)
      const { alert, outcomes } = yield* alerts.get(account, id, Pages.after(page))
      const incoming = yield* journal.incoming(account, [alert.id])
      const { headers, rows } = yield* Pages.cut(outcomes, page, ({ strategyId }) => strategyId)
      return Answers.json(
        JSON.stringify(alertView(alert, rows, { incoming: incoming.get(alert.id) })),
        200,
        headers
      )
    })
    const read = Timelines.make(yield* Timeline)

    return handlers
      .handleRaw("alerts", ({ urlParams }) => refuse(list(urlParams)))
      .handleRaw("alert", ({ path, urlParams }) => refuse(get(path.id, urlParams)))
      .handleRaw("timeline", ({ path, urlParams }) => refuse(read(path.id, urlParams)))
  })
)
