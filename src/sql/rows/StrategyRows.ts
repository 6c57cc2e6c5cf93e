// The rows of strategies, and of the settings that they had before.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { SignalId } from "../../domain/Signal.ts"
import { Settings, Strategy } from "../../domain/Strategy.ts"
import { StrategyId } from "../../domain/StrategyId.ts"
import * as Rows from "./Rows.ts"

/** A row of `COLUMNS`. The signal has a column of its own: detaching it does not touch the settings. */
const Row = Schema.Struct({
  ...Strategy.fields,
  copiedFrom: Schema.NullOr(StrategyId),
  signalId: Schema.NullOr(SignalId),
  settings: Schema.parseJson(Settings.pipe(Schema.omit("signalId")))
})
export const rows = Rows.reader(Row)

export const COLUMNS = `id, account, signal_id AS "signalId", copied_from AS "copiedFrom", settings,
  created_at AS "createdAt", updated_at AS "updatedAt", revision`

const strategyOf = ({ copiedFrom, settings, signalId, ...rest }: typeof Row.Type): Strategy => ({
  ...rest,
  ...(copiedFrom === null ? {} : { copiedFrom }),
  settings: signalId === null ? settings : { ...settings, signalId }
})

type Query = Effect.Effect<ReadonlyArray<unknown>, SqlError>
export const all = (query: Query) => Effect.map(rows.all(query), (found) => found.map(strategyOf))
export const first = (query: Query) => Effect.map(rows.first(query), Option.map(strategyOf))
export const one = (query: Query) => Effect.map(rows.one(query), strategyOf)

/** Settings that others replaced, oldest first. */
export const pastRows = Rows.reader(Schema.Struct({ until: Schema.Int, settings: Row.fields.settings }))
export const PAST = "until, settings FROM past_settings"

/** The settings as their column holds them. */
export const encode = lazily(() => Schema.encodeSync(Row.fields.settings))

/** The same back, for those who read rows that may have been altered. */
export const decode = lazily(() => Schema.decodeUnknownOption(Row.fields.settings))

/** A row that may have been altered; none where it does not decode. */
export const tried = (row: unknown): Option.Option<Strategy> => Option.map(decodeRow(row), strategyOf)
const decodeRow = lazily(() => Schema.decodeUnknownOption(Row))
