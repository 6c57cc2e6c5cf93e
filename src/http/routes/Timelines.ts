// The reads of a strategy's timeline: the public operation's, and the dashboard's with filters.
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { entryView, Timeline as TimelineView } from "../../api/History.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import * as TimelineSearch from "../../services/records/TimelineSearch.ts"
import type { Timeline } from "../../services/Timeline.ts"
import * as Pages from "../request/Pages.ts"
import * as SearchQuery from "../request/SearchQuery.ts"
import * as Answers from "../views/Answers.ts"

const encode = lazily(() => Schema.encodeSync(Schema.parseJson(TimelineView)))

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

/** Makes the read with filters; without any it is the same. */
export const searching = (timeline: typeof Timeline.Service) => {
  const plain = make(timeline)
  return Effect.fn("http.Timelines.search")(function* (
    id: number,
    query: Pages.PageQuery & Parameters<typeof SearchQuery.timeline>[0]
  ) {
    const filter = yield* SearchQuery.timeline(query)
    if (filter === undefined) return yield* plain(id, query)
    const { account } = yield* Caller
    const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...query })
    const { next, rows } = yield* TimelineSearch.search(
      timeline,
      { account, strategy: id },
      Pages.searched(page, DEFAULT_LIMIT),
      filter
    )
    const headers = yield* Pages.linked(next, page, query)
    return Answers.json(encode({ data: rows.map(entryView) }), 200, headers)
  })
}
