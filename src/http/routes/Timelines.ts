// The read of a strategy's timeline, shared by the public operation and the dashboard.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { entryView, Timeline as TimelineView } from "../../api/History.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { Timeline } from "../../services/Timeline.ts"
import * as Pages from "../request/Pages.ts"
import * as Answers from "../views/Answers.ts"

const encode = Schema.encodeSync(Schema.parseJson(TimelineView))

/** Rows of a response without a `limit`. */
const DEFAULT_LIMIT = 100

/** Makes the read. */
export const make = (timeline: typeof Timeline.Service) =>
  Effect.fn("http.Timelines.read")(function* (id: number, query: Pages.PageQuery) {
    const { account } = yield* Caller
    const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...query })
    const found = yield* timeline.list(account, id, Pages.before(page, DEFAULT_LIMIT))
    const { headers, rows } = yield* Pages.cut(found, page, (entry) => entry.id)
    return Answers.json(encode({ data: rows.map(entryView) }), 200, headers)
  })
