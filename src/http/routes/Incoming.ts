// The dashboard's routes for what arrived at the alert doors: stored alerts with body and outcomes, and rejected ones.
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Api } from "../../api/Api.ts"
import { alertView } from "../../api/History.ts"
import type { IncomingView } from "../../api/Incoming.ts"
import { Caller } from "../../api/shared/Security.ts"
import type { AccountId } from "../../domain/Account.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { SignalId } from "../../domain/Signal.ts"
import { Alerts } from "../../services/Alerts.ts"
import { wordsOf } from "../../services/engine/decide/TimelineTexts.ts"
import { Refusals } from "../../services/health/Refusals.ts"
import { Journal } from "../../services/Journal.ts"
import type { AlertFilter, Judged } from "../../services/records/AlertOutcomes.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import { refuse } from "../Problems.ts"
import * as Pages from "../request/Pages.ts"
import * as SearchQuery from "../request/SearchQuery.ts"
import * as Answers from "../views/Answers.ts"

/** Rows of a response without a `limit`. */
const DEFAULT_LIMIT = 100
/** How many strategies, and how many of each one's newest timeline entries, are searched for failed orders. */
const MOST_STRATEGIES = 20
const LINES = 200

/** The handlers. */
export const layer = HttpApiBuilder.group(Api, "incoming", (handlers) =>
  Effect.gen(function* () {
    const alerts = yield* Alerts
    const journal = yield* Journal
    const refusals = yield* Refusals
    const signals = yield* Signals
    const strategies = yield* StrategyStore
    const timeline = yield* Timeline

    /** Entries whose order failed without a fill: the reason, by alert and strategy. */
    const vain = Effect.fnUntraced(function* (account: AccountId, rows: ReadonlyArray<Judged>) {
      const opened = rows.flatMap(({ outcomes }) => outcomes).filter(({ reason }) => reason === "opened")
      const ids = [...new Set(opened.map(({ strategyId }) => strategyId))].slice(0, MOST_STRATEGIES)
      const lines = yield* Effect.forEach(ids, (id) =>
        Effect.orElseSucceed(timeline.list(account, id, { limit: LINES }), () => [])
      )
      return new Map(
        lines
          .flat()
          .filter(({ rule }) => IN_VAIN.has(rule))
          .map(({ alertId, strategyId, text }) => [`${Option.getOrNull(alertId)} ${strategyId}`, text])
      )
    })

    const signalNames = (account: AccountId, ids: Iterable<number>) =>
      Effect.map(
        Effect.forEach(new Set(ids), (id) => Effect.option(signals.get(account, id))),
        (found) => new Map<number, string>(found.flatMap(Option.toArray).map(({ id, name }) => [id, name]))
      )
    const strategyNames = (account: AccountId) =>
      Effect.map(
        strategies.followed(account),
        (found) => new Map<number, string>(found.map(({ strategy: { id, settings } }) => [id, settings.name]))
      )

    /** The alerts of a page, and the header with the address of the next. */
    const found = Effect.fnUntraced(function* (
      account: AccountId,
      page: Pages.Page,
      { filter, query, signal }: Wanted
    ) {
      const scope = signal === undefined ? {} : { signal }
      if (filter === undefined) {
        const some = yield* alerts.list(account, { ...Pages.before(page, DEFAULT_LIMIT), ...scope })
        const rest = signal === undefined ? "" : `&signal_id=${signal}`
        return yield* Pages.cut(some, page, ({ alert }) => alert.id, rest)
      }
      const searched = { ...Pages.searched(page, DEFAULT_LIMIT), ...scope }
      const { next, rows } = yield* alerts.search(account, searched, filter)
      return { rows, headers: yield* Pages.linked(next, page, query) }
    })

    const list = Effect.fn("http.Incoming.alerts")(function* (incomingQuery: IncomingQuery) {
      const { account } = yield* Caller
      const signal = yield* signalOf(incomingQuery.signal_id)
      const filter = yield* SearchQuery.alerts(incomingQuery)
      const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...incomingQuery })
      const { headers, rows } = yield* found(account, page, { signal, filter, query: incomingQuery })
      const incomingOf = yield* journal.incoming(
        account,
        rows.map(({ alert }) => alert.id)
      )
      const named = {
        signals: yield* signalNames(
          account,
          rows.map(({ alert }) => alert.signalId)
        ),
        strategies: yield* strategyNames(account)
      }
      const reasons = yield* vain(account, rows)
      const view = (row: Judged): IncomingView => {
        const incoming = incomingOf.get(row.alert.id)
        const { outcomes, ...alert } = alertView(row.alert, row.outcomes, { incoming })
        return {
          ...alert,
          signal_name: named.signals.get(alert.signal_id) ?? null,
          door: incoming?.door ?? null,
          body: incoming?.door === "rule" ? null : (incoming?.body ?? null),
          has_more_outcomes: row.hasMore,
          outcomes: outcomes.map((outcome) => ({
            ...outcome,
            strategy_name: named.strategies.get(outcome.strategy_id) ?? null,
            text: outcomeText(
              wordsOf(outcome.reason, outcome.facts, alert.quote_currency),
              reasons.get(`${alert.id} ${outcome.strategy_id}`)
            )
          }))
        }
      }
      return yield* Answers.list(rows, view, headers)
    })

    return handlers
      .handleRaw("alerts", ({ urlParams }) => refuse(list(urlParams)))
      .handle("refusals", () =>
        Effect.map(Caller, ({ account }) => ({
          data: refusals.list(account).map(({ at, body, ...refusal }) => ({
            ...refusal,
            at: Math.floor(at / 1000),
            body: body ?? null
          }))
        }))
      )
  })
)

/** The timeline rules of an order that ended without a fill. */
const IN_VAIN: ReadonlySet<string> = new Set(["order_rejected", "order_missing", "order_cancelled"])

/** The reason in words, followed by the end of a failed order. */
const outcomeText = (words: string, end: string | undefined): string =>
  end === undefined ? words : `${words}. ${end}`

type IncomingQuery = Pages.PageQuery &
  Parameters<typeof SearchQuery.alerts>[0] & { readonly signal_id?: string | undefined }

/** Which alerts are listed: of one signal, and by filters. `query` is all of that as it was sent. */
interface Wanted {
  readonly signal: SignalId | undefined
  readonly filter: AlertFilter | undefined
  readonly query: IncomingQuery
}

const isSignalId = Schema.is(SignalId)

/** Parses the signal filter. */
const signalOf = (text: string | undefined): Either.Either<SignalId | undefined, Violations> => {
  if (text === undefined) return Either.right(undefined)
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  return isSignalId(id)
    ? Either.right(id)
    : Either.left(Violations.of([violation("signal_id", "must be a positive whole number")]))
}
