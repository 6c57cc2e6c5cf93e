import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "../../api/Api.ts"
import { alertView } from "../../api/History.ts"
import { Caller } from "../../api/shared/Security.ts"
import { Alerts } from "../../services/Alerts.ts"
import { Timeline } from "../../services/Timeline.ts"
import { refuse } from "../Problems.ts"
import * as Pages from "../request/Pages.ts"
import * as Answers from "../views/Answers.ts"
import * as Timelines from "./Timelines.ts"

/** Rows of one answer where the caller does not say. */
const DEFAULT_LIMIT = 100

/** What became of alerts, over the use case and the timeline's port. */
export const layer = HttpApiBuilder.group(Api, "history", (handlers) =>
  Effect.gen(function* () {
    const alerts = yield* Alerts

    const list = Effect.fn("http.History.alerts")(function* (asked: Pages.Asked) {
      const { account } = yield* Caller
      const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...asked })
      const found = yield* alerts.list(account, Pages.before(page, DEFAULT_LIMIT))
      const { headers, rows } = yield* Pages.cut(found, page, ({ alert }) => alert.id)
      return yield* Answers.list(rows, ({ alert, outcomes }) => alertView(alert, outcomes), headers)
    })
    const read = Timelines.make(yield* Timeline)

    return handlers
      .handleRaw("alerts", ({ urlParams }) => refuse(list(urlParams)))
      .handle("alert", ({ path }) =>
        refuse(
          Effect.flatMap(Caller, ({ account }) =>
            Effect.map(alerts.get(account, path.id), ({ alert, outcomes }) => alertView(alert, outcomes))
          )
        )
      )
      .handleRaw("timeline", ({ path, urlParams }) => refuse(read(path.id, urlParams)))
  })
)
