// What one node asks of a bot that another node runs.
import * as Schema from "effect/Schema"
import { AccountId, Scope, SessionId, TokenId } from "../../domain/Account.ts"
import { optional } from "../../domain/internal/Optional.ts"
import { Settings } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import { TimelineEntry } from "../../domain/Timeline.ts"
import type { ManualRequest } from "../../services/engine/orders/ManualOrders.ts"
import type { StrategyChange } from "../../services/StrategyStore.ts"

const { id: _, strategyId: __, ...noteFields } = TimelineEntry.fields

/** A timeline entry that is to be stored with what is asked for. */
export const Note = Schema.Struct(noteFields)

/** A strategy with its owner. */
export const Owned = Schema.Struct({ account: AccountId, id: StrategyId })

/** The caller behind a request. */
export const Caller = Schema.Struct({
  account: AccountId,
  token: TokenId,
  scope: Scope,
  session: optional(SessionId)
})

/** New settings of a strategy as it was read, or a new strategy. */
export const Change = Schema.Struct({
  before: optional(Schema.Struct({ id: StrategyId, revision: Schema.Int })),
  settings: Settings,
  notes: Schema.Array(Note)
})

/** A change with nothing but what the owner needs. */
export const changeOf = ({ before, notes, settings }: StrategyChange): typeof Change.Type =>
  before === undefined
    ? { settings, notes }
    : { before: { id: before.id, revision: before.revision }, settings, notes }

/** How an order by hand is answered: `form` is the name of a form that every node knows. */
export const Manual = Schema.Struct({
  form: Schema.String,
  once: optional(Schema.Struct({ key: Schema.String, request: Schema.String })),
  note: optional(Note)
})

/** An order's request with the name of its form in the place of the form. */
export const manualOf = ({ form, note, once }: ManualRequest): typeof Manual.Type => ({
  form: form.name,
  ...(once === undefined ? {} : { once }),
  ...(note === undefined ? {} : { note })
})

/** How to disarm a bot. */
export const Leave = Schema.Struct({ close: Schema.Boolean, forget: Schema.Boolean })
