// Reads rows of our own: a row that does not decode is a defect, like a statement that fails.
import type { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { ArrayFormatter, type ParseError } from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { lazily } from "../../domain/internal/Lazily.ts"
import { orDie, RowUnreadable } from "../client/SqlErrors.ts"

/** A boolean as a database stores it. */
export const Bit = Schema.transform(Schema.Literal(0, 1), Schema.Boolean, {
  strict: true,
  decode: (bit) => bit === 1,
  encode: (flag): 0 | 1 => (flag ? 1 : 0)
})
export const bit = (flag: boolean) => (flag ? 1 : 0)

type Query = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** Makes a reader of rows by a schema. */
export const reader = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = lazily(() => Schema.decodeUnknown(Schema.Array(schema)))
  const all = (query: Query): Effect.Effect<ReadonlyArray<A>> =>
    Effect.catchAll(Effect.flatMap(orDie(query), decode), (error) => Effect.die(unreadable(query, error)))
  return {
    /** For readers of rows that may have been altered. */
    schema,
    all,
    first: (query: Query): Effect.Effect<Option.Option<A>> =>
      Effect.map(all(query), (rows) => Option.fromNullable(rows[0])),
    /** For statements that always return one row. */
    one: (query: Query): Effect.Effect<A> =>
      Effect.flatMap(all(query), ([row]) =>
        row === undefined ? Effect.dieMessage("a row was expected") : Effect.succeed(row)
      )
  }
}

const unreadable = (query: Query, cause: ParseError) => {
  const [first] = ArrayFormatter.formatErrorSync(cause)
  // The index of a row within a page is not an id.
  return new RowUnreadable({ table: tableOf(query), place: first?.path.slice(1).join(".") ?? "", cause })
}

/** The table that a statement is about. */
const tableOf = (query: Query): string => {
  if (!Statement.isFragment(query)) return "?"
  const words = query.segments.map((segment) => (segment._tag === "Literal" ? segment.value : " ")).join("")
  return /\b(?:FROM|INTO|UPDATE)\s+(\w+)/.exec(words)?.[1] ?? "?"
}

/** Returns the row, or the error of a missing one. */
export const orFail =
  <E>(missing: () => E) =>
  <A>(row: Effect.Effect<Option.Option<A>>): Effect.Effect<A, E> =>
    Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(missing()), onSome: Effect.succeed }))

/** The LIMIT that allows all rows. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** Now, in whole seconds since the epoch. */
export const nowSeconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
