// The rows of signals.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DisplayName } from "../../domain/directory/DisplayName.ts"
import { lazily } from "../../domain/internal/Lazily.ts"
import { Signal } from "../../domain/Signal.ts"
import { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import type { RuleHistory } from "../../domain/signalRule/StoredRule.ts"
import * as Rows from "./Rows.ts"

const { rule: _, ...fields } = Signal.fields
const Row = Schema.Struct({
  ...fields,
  active: Rows.Bit,
  public: Rows.Bit,
  displayName: Schema.NullOr(DisplayName),
  ruleVersion: Schema.Int,
  ruleMadeAt: Schema.NullOr(Schema.Int)
})
export const rows = Rows.reader(Row)

export const COLUMNS = `id, account, name, description, active, public, display_name AS "displayName",
  rule_version AS "ruleVersion", rule_made_at AS "ruleMadeAt", created_at AS "createdAt", updated_at AS "updatedAt"`

const signalOf = ({ displayName, ruleMadeAt, ruleVersion, ...signal }: typeof Row.Type): Signal => ({
  ...signal,
  ...(displayName === null ? {} : { displayName }),
  ...(ruleMadeAt === null ? {} : { rule: { version: ruleVersion, madeAt: ruleMadeAt } })
})

const History = Schema.Struct({
  rule: Schema.NullOr(Schema.parseJson(RuleDocument)),
  version: Schema.Int,
  madeAt: Schema.NullOr(Schema.Int)
})
const histories = Rows.reader(History)

/** The rule of a signal. A row without one of rule and time, or with a rule that cannot be read, is a defect. */
export const stored = Rows.reader(
  Schema.Struct({ ...History.fields, rule: Schema.parseJson(RuleDocument), madeAt: Schema.Int })
)

/** The columns of a signal's rule. */
export const RULE = `rule, rule_version AS version, rule_made_at AS "madeAt"`
/** Encodes a rule for its column. */
export const ruleText = lazily(() => Schema.encodeSync(Schema.parseJson(RuleDocument)))

const historyOf = ({ madeAt, rule, version }: typeof History.Type): RuleHistory =>
  rule === null || madeAt === null ? { version } : { version, rule: { version, madeAt, document: rule } }

type Query = Effect.Effect<ReadonlyArray<unknown>, SqlError>
export const all = (query: Query) => Effect.map(rows.all(query), (found) => found.map(signalOf))
export const first = (query: Query) => Effect.map(rows.first(query), Option.map(signalOf))
export const one = (query: Query) => Effect.map(rows.one(query), signalOf)
/** The rules that a signal had, with the present one. */
export const history = (query: Query) => Effect.map(histories.first(query), Option.map(historyOf))
