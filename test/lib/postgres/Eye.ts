// Reads a database of Postgres at once, as SQLite does: this thread stands still until the answer is there. For tests
// that look at rows between two steps of a world.
import { receiveMessageOnPort } from "node:worker_threads"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted, Stream } from "effect"
import type { Answer, Question } from "./eyeWorker.ts"

/** Looks at a database; it is closed in the end. */
export class Eye {
  readonly #worker = new Worker(new URL("./eyeWorker.ts", import.meta.url).href)
  readonly #bell = new Int32Array(new SharedArrayBuffer(4))
  readonly #channel = new MessageChannel()
  /** The same as a client of SQL, whose effects are synchronous. */
  readonly sql: SqlClient.SqlClient

  constructor(url: Redacted.Redacted) {
    const { port1, port2 } = this.#channel
    this.#worker.postMessage({ url: Redacted.value(url), bell: this.#bell, port: port2 }, [port2])
    port1.start()
    this.sql = Effect.runSync(clientOf((question) => this.#ask(question)))
  }

  /** The rows of a query. */
  rows<Row>(text: string, ...params: ReadonlyArray<unknown>): ReadonlyArray<Row> {
    return this.#ask({ text, params, isArray: false })
  }

  /** Runs what reads the database. */
  read<A>(effect: Effect.Effect<A, never, SqlClient.SqlClient>): A {
    return Effect.runSync(Effect.provideService(effect, SqlClient.SqlClient, this.sql))
  }

  close(): void {
    this.#channel.port1.close()
    this.#worker.terminate()
  }

  #ask<Row>(question: Question): ReadonlyArray<Row> {
    Atomics.store(this.#bell, 0, 0)
    this.#channel.port1.postMessage(question)
    Atomics.wait(this.#bell, 0, 0)
    const answer: Answer<Row> | undefined = receiveMessageOnPort(this.#channel.port1)?.message
    if (answer === undefined) throw new Error("the database was asked, and no answer came")
    if ("error" in answer) throw new Error(answer.error)
    return answer.rows
  }
}

const clientOf = (ask: (question: Question) => ReadonlyArray<unknown>) => {
  const rows = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.sync(() => ask({ text, params, isArray: false }))
  const connection: Connection = {
    execute: (text, params, transform) =>
      Effect.sync(() => {
        const found = ask({ text, params, isArray: false }).flatMap((row) =>
          typeof row === "object" && row !== null ? [row] : []
        )
        return transform === undefined ? found : transform(found)
      }),
    executeRaw: rows,
    executeValues: (text, params) =>
      Effect.sync(() =>
        ask({ text, params, isArray: true }).flatMap((row) => (Array.isArray(row) ? [row] : []))
      ),
    executeUnprepared: (text, params) => rows(text, params),
    executeStream: () => Stream.dieMessage("an eye reads whole answers")
  }
  const acquirer = Effect.succeed(connection)
  return Effect.provide(
    SqlClient.make({
      ...{ acquirer, transactionAcquirer: acquirer, spanAttributes: [] },
      compiler: PgClient.makeCompiler()
    }),
    Reactivity.layer
  )
}
