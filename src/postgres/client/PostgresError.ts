// What Postgres or the way to it refuses, without anything that was stored or that opens a door: of the server's answer
// its code and its message are kept, never its detail, which holds values.
import { SqlError } from "@effect/sql/SqlError"
import { DatabaseError } from "pg"

/** The code of a connection that is gone, or was never made. */
const CONNECTION_GONE = "08006"

/** The code of a server that nobody waits for: it has answered nothing for a while. */
const NOBODY_WAITS = "08001"

/** What the driver says of a server that does not answer in time. */
export const TIMED_OUT = "Query read timeout"

/** What the driver says of a server that lets a new connection wait for too long. */
export const NOT_ANSWERED = "timeout expired"

/** An error with its five-character code. */
export class PostgresError extends Error {
  override readonly name = "PostgresError"
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Why a statement is not sent to a server that answers nothing. */
export const SILENT = new PostgresError(NOBODY_WAITS, "the Postgres server does not answer")

/** Any failure of `pg` as ours: what the server has not said is about the connection. */
export const errorOf = (cause: unknown): PostgresError => {
  if (cause instanceof PostgresError) return cause
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

/** The code of a statement that writes on a server, or in a session, that only reads. */
const READ_ONLY = "25006"

/**
 * Whether the connection is of no use after an error: it is gone, the server ends it, or an answer to it may still come.
 * One that only reads may do so for as long as it lives, while a new one may write: the server follows no other any
 * more, or another server has taken its address.
 */
export const isFatal = (cause: unknown): boolean =>
  !(cause instanceof DatabaseError) ||
  cause.severity === "FATAL" ||
  cause.severity === "PANIC" ||
  cause.code === READ_ONLY
