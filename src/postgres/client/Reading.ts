// Reads again what a lost connection left without an answer. A back end that ends is noticed only by the next one who
// uses its connection, who should not pay for it; what writes is never sent twice here.
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { codeOf, reasonOf } from "../../sql/client/SqlErrors.ts"
import { TIMED_OUT } from "./PostgresError.ts"

/** How often a statement is read again. */
const MAX_TIMES = 3

/** Whether a statement only reads. Ours that write within a query call functions with names of ours. */
export const isRead = (text: string): boolean =>
  /^\s*(SELECT|WITH RECURSIVE)\b/.test(text) &&
  !/\b(INSERT|UPDATE|DELETE|SHARE|signalbox_\w+|pg_advisory\w*|pg_notify|set_config)\b/.test(text)

/** The connection is gone. One that is there and does not answer is not asked again: that took long enough. */
const isGone = ({ cause }: SqlError): boolean =>
  ["08006", "57P01"].includes(codeOf(cause)) && reasonOf(cause) !== TIMED_OUT

/** A connection outside of transactions; `next` gives it back, and takes another one. */
export const reading = (
  connection: Connection,
  next: Effect.Effect<Connection, SqlError, Scope>
): Connection => {
  const again =
    <A>(run: (connection: Connection) => Effect.Effect<A, SqlError>, times = MAX_TIMES) =>
    (error: SqlError): Effect.Effect<A, SqlError> =>
      times > 0 && isGone(error)
        ? Effect.catchAll(Effect.scoped(Effect.flatMap(next, run)), again(run, times - 1))
        : Effect.fail(error)
  const patient = <A>(text: string, run: (connection: Connection) => Effect.Effect<A, SqlError>) =>
    isRead(text) ? Effect.catchAll(run(connection), again(run)) : run(connection)
  return {
    ...connection,
    execute: (text, params, transform) => patient(text, (it) => it.execute(text, params, transform)),
    executeValues: (text, params) => patient(text, (it) => it.executeValues(text, params))
  }
}
