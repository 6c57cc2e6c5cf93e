// Reads that the public operations and the dashboard share, so that both return the same bodies.
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CHARTING_PATH } from "../../api/AlertOperations.ts"
import { targetView } from "../../api/Notifications.ts"
import { ownView, SignalList, templateView, view } from "../../api/Signals.ts"
import { Caller } from "../../api/shared/Security.ts"
import { tokenView } from "../../api/Tokens.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import * as AlertTemplate from "../../domain/requests/AlertTemplate.ts"
import type { Signal } from "../../domain/Signal.ts"
import type { Notifications } from "../../services/Notifications.ts"
import type { RuleStatuses } from "../../services/rules/RuleStatus.ts"
import type { Signals } from "../../services/Signals.ts"
import type { Tokens } from "../../services/Tokens.ts"
import type { Program } from "../Program.ts"
import * as Pages from "../request/Pages.ts"
import * as Answers from "../views/Answers.ts"

const encodeList = lazily(() => Schema.encodeSync(Schema.parseJson(SignalList)))

/** The reads of signals. Addresses in templates begin with the path under which an app mounts the interface. */
export const ofSignals = (
  signals: typeof Signals.Service,
  { mountPath }: Context.Tag.Service<typeof Program>,
  statuses: Context.Tag.Service<typeof RuleStatuses>
) => ({
  list: Effect.fn("http.Signals.list")(function* (query: Pages.PageQuery) {
    const { account } = yield* Caller
    const page = yield* Pages.read(query)
    const { headers, rows } = yield* Pages.cut(
      yield* signals.list(account, Pages.after(page)),
      page,
      ({ id }) => id
    )
    return Answers.json(encodeList({ data: rows.map((signal) => view(signal)) }), 200, headers)
  }),
  get: (id: number) =>
    Effect.flatMap(Caller, ({ account }) =>
      Effect.flatMap(signals.visible(account, id), (signal) =>
        signal.account === account ? withRule(signals, signal, statuses) : Effect.succeed(view(signal))
      )
    ),
  /** A signal of the caller's own, as it was just stored. */
  own: (signal: Signal) => withRule(signals, signal, statuses),
  template: (id: number) =>
    Effect.flatMap(Caller, ({ account }) =>
      Effect.map(signals.get(account, id), (signal) =>
        templateView(
          signal.id,
          AlertTemplate.make(`${mountPath}${CHARTING_PATH}`, signal.id, AlertTemplate.KEY)
        )
      )
    )
})

/** The signal as its owner reads it. */
const withRule = (
  signals: typeof Signals.Service,
  signal: Signal,
  { of }: Context.Tag.Service<typeof RuleStatuses>
) =>
  signal.rule === undefined
    ? Effect.succeed(view(signal))
    : Effect.map(signals.rule(signal.account, signal.id), (rule) =>
        ownView(signal, rule, of(signal.account, signal.id))
      )

/** The list of the account's tokens. */
export const ofTokens = (tokens: typeof Tokens.Service) =>
  Effect.flatMap(Caller, ({ account }) =>
    Effect.map(tokens.list(account), (found) => ({ data: found.map(tokenView) }))
  )

/** The list of the account's notifications. */
export const ofNotifications = (notifications: typeof Notifications.Service) =>
  Effect.flatMap(Caller, ({ account }) =>
    Effect.map(notifications.list(account), (found) => ({
      data: found.map(({ pending, target }) => targetView(target, pending))
    }))
  )
