// A database as of one moment, read through cursors: a few pages of each statement are in memory, however many rows it
// has. Nothing is written, and a server may run beside it.
import * as Effect from "effect/Effect"
import type { ClientConfig, QueryResult } from "pg"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../../sql/client/SqlErrors.ts"
import type { Source } from "../../sql/verify/Source.ts"
import { breathe } from "../../sql/verify/Verify.ts"
import { PAUSE, type Pause } from "../../trading/audit/Books.ts"
import { configOf, type Options, SETTINGS, shown } from "./Address.ts"
import { errorOf } from "./PostgresError.ts"

/** The rows that one request brings. */
const PAGE = 1_000

/** Long work on one connection: its statements and its transaction take as long as they take. */
const LONG = {
  query_timeout: 0,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0
} satisfies ClientConfig

/** A connection of its own for long work, for as long as the scope lives. */
export const connect = Effect.fn("Snapshot.connect")(function* (options: Options) {
  const config = yield* configOf(options)
  return yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new config.Client({ ...config, ...LONG })
        // Without a listener a lost connection would end the process; the next statement finds it lost.
        client.on("error", () => {})
        await client.connect()
        await client.query(SETTINGS)
        return client
      },
      catch: (cause) => unavailable(options, cause)
    }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  )
})

/** A failed statement of long work, which ends it. */
export const unavailable = ({ url }: Options, cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable({ filename: shown(url), reason: reasonOf(errorOf(cause)) })

/** Every table was there from the first version of a Postgres database. */
const ALL_TABLES = Number.POSITIVE_INFINITY

/** Opens a snapshot for as long as the scope lives. */
export const open = Effect.fn("Snapshot.open")(function* (options: Options) {
  const client = yield* connect(options)
  yield* Effect.tryPromise({
    try: () => client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
    catch: (cause) => unavailable(options, cause)
  })
  const pending = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()
  const send = (statement: string): Promise<QueryResult<object>> => {
    // The driver takes one statement at a time.
    const sent = last.then((): Promise<QueryResult<object>> => client.query(statement))
    last = sent.catch(() => {})
    pending.add(sent)
    // A failure stays pending: whoever waits next hears of it.
    void sent.then(
      () => pending.delete(sent),
      () => {}
    )
    return sent
  }
  let cursors = 0
  const source: Source = {
    dialect: "pg",
    version: ALL_TABLES,
    rows: function* (statement, ...parameters) {
      const name = `rows_${++cursors}`
      void send(`DECLARE ${name} NO SCROLL CURSOR FOR ${filledIn(statement, parameters)}`)
      const fetch = () => send(`FETCH ${PAGE} FROM ${name}`)
      try {
        for (let next = fetch(); ; ) {
          const { rows } = yield* arrived(next)
          const isLast = rows.length < PAGE
          if (!isLast) next = fetch()
          yield* rows
          if (isLast) return
        }
      } finally {
        void send(`CLOSE ${name}`)
      }
    },
    ready: Effect.suspend(() =>
      pending.size === 0
        ? breathe
        : Effect.tryPromise({
            try: () => Promise.all(pending),
            catch: (cause) => unavailable(options, cause)
          })
    )
  }
  return source
})

/** Pauses until an answer is there. */
function* arrived<A>(sent: Promise<A>): Generator<Pause, A> {
  const answers: Array<A> = []
  void sent.then(
    (answer) => answers.push(answer),
    () => {}
  )
  for (;;) {
    const [answer] = answers
    if (answer !== undefined) return answer
    yield PAUSE
  }
}

/** The statement with its whole numbers in their places. */
const filledIn = (statement: string, parameters: ReadonlyArray<number>): string => {
  const left = [...parameters]
  return statement.replaceAll("?", () => {
    const next = left.shift()
    if (!Number.isSafeInteger(next)) throw new Error("a statement lacks a whole number")
    return String(next)
  })
}
