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
import type { Reason } from "../../domain/Alert.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { SignalId } from "../../domain/Signal.ts"
import { Alerts, type Judged } from "../../services/Alerts.ts"
import { wordsOf } from "../../services/engine/Words.ts"
import { Refusals } from "../../services/health/Refusals.ts"
import { Journal } from "../../services/Journal.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import { refuse } from "../Problems.ts"
import * as Pages from "../request/Pages.ts"
import * as Answers from "../views/Answers.ts"

/** Rows of one answer where the caller does not say. */
const DEFAULT_LIMIT = 100
/** Of how many strategies, and in how many of their newest lines, is looked for what became of an alert's order. */
const MOST_STRATEGIES = 20
const LINES = 200

/** What came in at the alert doors, for the dashboard. */
export const layer = HttpApiBuilder.group(Api, "incoming", (handlers) =>
  Effect.gen(function* () {
    const alerts = yield* Alerts
    const journal = yield* Journal
    const refusals = yield* Refusals
    const signals = yield* Signals
    const strategies = yield* StrategyStore
    const timeline = yield* Timeline

    /** Entries that were decided on, and of which nothing came: why, by alert and strategy. */
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

    const list = Effect.fn("http.Incoming.alerts")(function* (asked: IncomingQuery) {
      const { account } = yield* Caller
      const signal = yield* signalOf(asked.signal_id)
      const page = yield* Pages.read({ limit: DEFAULT_LIMIT, ...asked })
      const found = yield* alerts.list(account, {
        ...Pages.before(page, DEFAULT_LIMIT),
        ...(signal === undefined ? {} : { signal })
      })
      const query = signal === undefined ? "" : `&signal_id=${signal}`
      const { headers, rows } = yield* Pages.cut(found, page, ({ alert }) => alert.id, query)
      const came = yield* journal.incoming(
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
        const { outcomes, ...alert } = alertView(row.alert, row.outcomes)
        const incoming = came.get(row.alert.id)
        return {
          ...alert,
          signal_name: named.signals.get(alert.signal_id) ?? null,
          door: incoming?.door ?? null,
          body: incoming?.body ?? null,
          has_more_outcomes: row.hasMore,
          outcomes: outcomes.map((outcome) => ({
            ...outcome,
            strategy_name: named.strategies.get(outcome.strategy_id) ?? null,
            text: told(outcome.reason, reasons.get(`${alert.id} ${outcome.strategy_id}`))
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

/** How a timeline calls the end of an order of which nothing was traded. */
const IN_VAIN: ReadonlySet<string> = new Set(["order_rejected", "order_missing", "order_cancelled"])

/** The reason in words, and what then became of its order where that came to nothing. */
const told = (reason: Reason, end: string | undefined): string =>
  end === undefined ? wordsOf(reason) : `${wordsOf(reason)}. ${end}`

interface IncomingQuery extends Pages.Asked {
  readonly signal_id?: string | undefined
}

const isSignalId = Schema.is(SignalId)

/** The signal whose alerts are asked for, where one is named. */
const signalOf = (text: string | undefined): Either.Either<SignalId | undefined, Violations> => {
  if (text === undefined) return Either.right(undefined)
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  return isSignalId(id)
    ? Either.right(id)
    : Either.left(Violations.of([violation("signal_id", "must be a positive whole number")]))
}
