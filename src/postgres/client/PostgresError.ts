// What Postgres or the way to it refuses, without anything that was stored or that opens a door: of the server's answer
// its code and its message are kept, never its detail, which holds values.
import { SqlError } from "@effect/sql/SqlError"
import { DatabaseError } from "pg"

/** The code of a connection that is gone, or was never made. */
const CONNECTION_GONE = "08006"

/** What the driver says of a server that does not answer in time. */
export const TIMED_OUT = "Query read timeout"

/** An error with its five-character code. */
export class PostgresError extends Error {
  override readonly name = "PostgresError"
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Any failure of `pg` as ours: what the server has not said is about the connection. */
export const errorOf = (cause: unknown): PostgresError => {
  if (cause instanceof DatabaseError && cause.code !== undefined)
    return new PostgresError(cause.code, isOfValue(cause.code) ? "a value was refused" : cause.message)
  return new PostgresError(CONNECTION_GONE, cause instanceof Error ? wordsOf(cause) : "the connection failed")
}

/** A refused value stands in the message itself. */
const isOfValue = (code: string): boolean => code.startsWith("22")

/** Several addresses of one host fail as one error without words of its own. */
const wordsOf = (cause: Error): string => {
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  const words = first instanceof Error ? first.message : ""
  return words === "" ? "the connection failed" : words
}

/** A failed statement. */
export const sqlErrorOf = (cause: unknown): SqlError =>
  new SqlError({ cause: errorOf(cause), message: "Failed to execute statement" })

/**
 * Whether the connection is of no use after an error: it is gone, the server ends it, or an answer to it may still come.
 */
export const isFatal = (cause: unknown): boolean =>
  !(cause instanceof DatabaseError) || cause.severity === "FATAL" || cause.severity === "PANIC"
