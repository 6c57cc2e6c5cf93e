// The rows of signals.
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { DisplayName } from "../../domain/directory/DisplayName.ts"
import { Signal } from "../../domain/Signal.ts"
import * as Rows from "./Rows.ts"

const Row = Schema.Struct({
  ...Signal.fields,
  active: Rows.Bit,
  public: Rows.Bit,
  displayName: Schema.NullOr(DisplayName)
})
export const rows = Rows.reader(Row)

export const COLUMNS = `id, account, name, description, active, public, display_name AS "displayName",
  created_at AS "createdAt", updated_at AS "updatedAt"`

const signalOf = ({ displayName, ...signal }: typeof Row.Type): Signal =>
  displayName === null ? signal : { ...signal, displayName }

type Query = Effect.Effect<ReadonlyArray<unknown>, SqlError>
export const all = (query: Query) => Effect.map(rows.all(query), (found) => found.map(signalOf))
export const first = (query: Query) => Effect.map(rows.first(query), Option.map(signalOf))
export const one = (query: Query) => Effect.map(rows.one(query), signalOf)
