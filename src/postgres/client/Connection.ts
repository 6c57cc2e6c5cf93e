// A connection's statements. Each is named after its text, so that the server compiles it once for each connection, and
// runs to its end once it was sent: what it did would be unknown otherwise.
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { PoolClient, QueryResult } from "pg"
import { isFatal, sqlErrorOf } from "./PostgresError.ts"

/** The most statements with a name; more are compiled each time. */
const MAX_NAMED = 512

/** Names by text; every connection of a process shares them. */
export const names = (): ((text: string) => string | undefined) => {
  const known = new Map<string, string>()
  return (text) => {
    const name = known.get(text)
    if (name !== undefined || known.size >= MAX_NAMED) return name
    const made = `s${known.size}`
    known.set(text, made)
    return made
  }
}

/** A connection in use. It is of no more use after a fatal error. */
export interface Used {
  readonly connection: Connection
  readonly isBroken: () => boolean
}

/** Makes the statements of a client of the driver. */
export const make = (client: PoolClient, nameOf: (text: string) => string | undefined): Used => {
  let broken = false
  const run = <A>(query: () => Promise<A>): Effect.Effect<A, SqlError> =>
    Effect.uninterruptible(
      Effect.tryPromise({
        try: query,
        catch: (cause) => {
          broken ||= isFatal(cause)
          return sqlErrorOf(cause)
        }
      })
    )
  const named = (text: string, params: ReadonlyArray<unknown>) => {
    const name = nameOf(text)
    return { text, values: params.map(storable), ...(name === undefined ? {} : { name }) }
  }
  const raw = (text: string, params: ReadonlyArray<unknown>) =>
    run((): Promise<QueryResult<object>> => client.query(named(text, params)))

  const execute: Connection["execute"] = (text, params, transform) =>
    Effect.map(raw(text, params), ({ rows }) => (transform === undefined ? rows : transform(rows)))
  const connection: Connection = {
    execute,
    executeRaw: raw,
    executeValues: (text, params) =>
      Effect.map(
        run(() => client.query<Array<unknown>>({ ...named(text, params), rowMode: "array" })),
        ({ rows }) => rows
      ),
    executeStream: () => Stream.dieMessage("statements are not streamed: read pages"),
    executeUnprepared: (text, params) => {
      const done = Effect.map(
        run((): Promise<QueryResult<object>> => client.query(text, params.map(storable))),
        ({ rows }) => rows
      )
      // Where the connection is gone there is nothing to undo; otherwise it must not be used again.
      return text === "ROLLBACK"
        ? Effect.orElseSucceed(done, () => {
            broken = true
            return []
          })
        : done
    }
  }
  return { connection, isBroken: () => broken }
}

/**
 * A parameter without NUL, which Postgres stores in no text. Our own doors refuse it; the words of others, such as an
 * exchange's reason or a name in a chat, must not stop what they come with.
 */
export const storable = (value: unknown): unknown => {
  if (typeof value === "string") return withoutNul(value)
  return Array.isArray(value) && value.some(hasNul) ? value.map(storable) : value
}

/** A text with U+FFFD in place of each NUL. */
export const withoutNul = (text: string): string =>
  text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text

const hasNul = (value: unknown): boolean => typeof value === "string" && value.includes("\0")
