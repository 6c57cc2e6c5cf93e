// The routes of the public directory and of copies.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { CopiedView, SyncedView } from "../../api/directory/CopyViews.ts"
import { Caller } from "../../api/shared/Security.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Copying } from "../../services/directory/Copying.ts"
import { PublicPages } from "../../services/directory/PublicPages.ts"
import { Venues } from "../../services/feeds/Venues.ts"
import { refuse } from "../Problems.ts"
import * as DirectoryQuery from "../request/DirectoryQuery.ts"
import * as IdempotentCreation from "../request/IdempotentCreation.ts"
import * as Pages from "../request/Pages.ts"
import { jsonOrNothing } from "../request/RecordBody.ts"
import * as Answers from "../views/Answers.ts"
import * as DirectoryViews from "../views/DirectoryViews.ts"

const encodeCopied = lazily(() => Schema.encodeSync(Schema.parseJson(CopiedView)))
const encodeSynced = lazily(() => Schema.encodeSync(Schema.parseJson(SyncedView)))

/** The handlers of the directory. */
export const layerPublic = HttpApiBuilder.group(Api, "public", (handlers) =>
  Effect.gen(function* () {
    const pages = yield* PublicPages
    const venues = yield* Venues

    const strategies = Effect.fn("http.Public.strategies")(function* (query: DirectoryQuery.StrategyTexts) {
      const { account } = yield* Caller
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const read = yield* DirectoryQuery.strategies(query, venues, now)
      const { next, rows } = yield* pages.strategies(account, read)
      const cursor = next === undefined ? undefined : DirectoryQuery.cursorOf(next)
      const headers = yield* Pages.linkedTo(cursor, query, { ...query })
      return yield* Answers.list(rows, DirectoryViews.strategyView, headers)
    })
    const signals = Effect.fn("http.Public.signals")(function* (query: DirectoryQuery.SignalTexts) {
      const now = yield* Clock.currentTimeMillis
      const { next, rows } = yield* pages.signals(yield* DirectoryQuery.signals(query))
      const cursor = next === undefined ? undefined : DirectoryQuery.cursorOf(next)
      const headers = yield* Pages.linkedTo(cursor, query, { ...query })
      return yield* Answers.list(rows, (row) => DirectoryViews.signalView(row, now), headers)
    })
    const strategy = (id: number) =>
      Effect.flatMap(Caller, ({ account }) =>
        Effect.map(pages.strategy(account, id), DirectoryViews.detailView)
      )
    const signal = (id: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(pages.signal(id), (found) => DirectoryViews.signalView(found, now))
      )

    return handlers
      .handleRaw("strategies", ({ urlParams }) => refuse(strategies(urlParams)))
      .handle("strategy", ({ path }) => refuse(strategy(path.id)))
      .handleRaw("signals", ({ urlParams }) => refuse(signals(urlParams)))
      .handle("signal", ({ path }) => refuse(signal(path.id)))
  })
)

/** The handlers of copies. */
export const layerCopies = HttpApiBuilder.group(Api, "copies", (handlers) =>
  Effect.gen(function* () {
    const copying = yield* Copying
    const once = yield* IdempotentCreation.make

    const copy = Effect.fn("http.Copies.copy")(function* (
      id: number,
      { headers, request }: IdempotentCreation.Creation
    ) {
      const { account } = yield* Caller
      const { fields, text } = yield* jsonOrNothing(request)
      const answer = Effect.map(copying.copy(account, id, fields), (copied) => ({
        status: 201,
        location: `/v1/strategies/${copied.view.strategy_id}`,
        body: encodeCopied(DirectoryViews.copiedView(copied))
      }))
      return yield* once(account, headers["idempotency-key"], text, answer)
    })
    const sync = Effect.fn("http.Copies.sync")(function* (
      id: number,
      { headers }: Pick<IdempotentCreation.Creation, "headers">
    ) {
      const { account } = yield* Caller
      const answer = Effect.map(copying.sync(account, id), (synced) => ({
        status: 200,
        location: undefined,
        body: encodeSynced(DirectoryViews.syncedView(synced))
      }))
      return yield* once(account, headers["idempotency-key"], "", answer)
    })
    const origin = (id: number) =>
      Effect.flatMap(Caller, ({ account }) =>
        Effect.map(copying.origin(account, id), DirectoryViews.originView)
      )

    return handlers
      .handle("origin", ({ path }) => refuse(origin(path.id)))
      .handleRaw("copy", ({ path, ...creation }) => refuse(copy(path.id, creation)))
      .handleRaw("sync", ({ headers, path }) => refuse(sync(path.id, { headers })))
  })
)
