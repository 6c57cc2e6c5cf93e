// What other processes write: Postgres tells a connection of its own, and is asked four times a second as well, since a
// connection may be dead for long without a word, and words may be lost on their way. A connection that is lost is made anew; what that says of the server
// and of our other connections they are told.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Client, Notification } from "pg"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { ChangeWatch } from "../../sql/client/ChangeWatch.ts"
import type { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import { reasonOf } from "../../sql/client/SqlErrors.ts"
import { CHANGES } from "../migrations/first/changes.ts"
import { ALERTS } from "../migrations/first/journal.ts"
import { type Configuration, configOf, type Options, SETTINGS } from "./Address.ts"
import { Connections, ended } from "./Connections.ts"
import { errorOf, NOT_ANSWERED, type PostgresError, TIMED_OUT } from "./PostgresError.ts"

/** How often Postgres is asked, and how long a lost connection waits for the next one (ms). */
const POLL_MILLIS = 250
/** A connection that answers later than this is lost (ms). */
const ANSWER_MILLIS = 2_000
/** Each of so many new connections in a row has more time (ms), because a slow server is no silent one. */
const EACH_PATIENT = 3
const PATIENT_MILLIS = 5_000

/** Hears of the last alert, and of who wrote it where that is known. */
export type Reached = (upTo: number, writer?: string) => void

/** The last alert of the journal and the last entry of timelines, as others wrote them. */
export class Listener extends Context.Tag("signalbox/postgres/client/Listener")<
  Listener,
  {
    /** Calls `reached` with the last alert of the journal, often more than once, while the scope is open. */
    readonly onAlerts: (reached: Reached) => Effect.Effect<void, never, Scope.Scope>
    /** Calls `reached` with the last entry of timelines that is final, again and again, while the scope is open. */
    readonly onEntries: (reached: (upTo: number) => void) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** Listens for as long as the layer lives. */
export const layer = (
  options: Options
): Layer.Layer<Listener, DatabaseUnavailable, ChangeWatch | Connections> =>
  Layer.scoped(Listener, make(options))

const make = Effect.fn("Listener.make")(function* (options: Options) {
  const config = yield* configOf(options)
  const { changed } = yield* ChangeWatch
  const connections = yield* Connections
  const run = Runtime.runSync(yield* Effect.runtime<never>())
  const ofAlerts = listening<Reached>()
  const ofEntries = listening<(upTo: number) => void>()
  const reached: Reached = (upTo, writer) => {
    for (const listener of ofAlerts.all) listener(upTo, writer)
  }
  const numbers = heardNumbers()
  const hear = ({ channel, payload = "" }: Notification) => {
    const [what, writer, number] = payload.split(":")
    if (channel === ALERTS) return reached(Number(what), writer)
    numbers.hear(Number(number))
    // What we wrote ourselves we know.
    if (writer !== options.node) run(changed)
  }
  let lost = false
  const signs = signsOfLife(connections, options.isPatient === true)
  const asking = Effect.gen(function* () {
    const client = yield* connect({ ...config, connectionTimeoutMillis: signs.patience() }, hear)
    yield* signs.connected(heads(client))
    if (lost) yield* Effect.logInfo("changes of other processes are noticed again")
    lost = false
    // Anything may have been missed.
    yield* changed
    yield* Effect.repeat(
      Effect.flatMap(signs.asking(heads(client)), ({ alert, change, final }) => {
        reached(alert)
        for (const listener of ofEntries.all) listener(final)
        return Effect.when(changed, () => numbers.isMissing(change))
      }),
      Schedule.spaced(POLL_MILLIS)
    )
  }).pipe(
    Effect.scoped,
    Effect.catchAll((error) =>
      Effect.suspend(() => {
        signs.failed(error)
        if (lost) return Effect.void
        lost = true
        return Effect.logWarning(`changes of other processes are not noticed: ${reasonOf(error)}`)
      })
    ),
    Effect.repeat(Schedule.spaced(POLL_MILLIS)),
    inRealTime,
    Effect.withTracerEnabled(false)
  )
  yield* Effect.forkScoped(asking)
  return Listener.of({ onAlerts: ofAlerts.add, onEntries: ofEntries.add })
})

/** The numbers of changes that were heard of, to find those that were not. */
const heardNumbers = () => {
  const heard = new Set<number>()
  let known = 0
  return {
    hear: (number: number): void => {
      if (number > known) heard.add(number)
    },
    /** Whether a change up to a number, which can be read by now, was not heard of; it is known from then on. */
    isMissing: (upTo: number): boolean => {
      const before = known
      let found = 0
      for (const number of heard)
        if (number <= upTo) {
          found++
          heard.delete(number)
        }
      known = Math.max(known, upTo)
      return found < known - before
    }
  }
}

/** What the connection that listens tells the others of the server, whose silence a patient process takes for slowness. */
const signsOfLife = (connections: typeof Connections.Service, isPatient: boolean) => {
  /** Whether the last connection was there, and did not answer. */
  let wasQuiet = false
  /** How many connections in a row were let wait. */
  let unanswered = 0
  /** What others had been answered when the server was last asked. */
  let answers = 0
  return {
    /** How long the next connection may take (ms). */
    patience: () => (unanswered % EACH_PATIENT === EACH_PATIENT - 1 ? PATIENT_MILLIS : ANSWER_MILLIS),
    /** Of a question that a new connection is asked where the one before did not answer it. */
    connected: Effect.fnUntraced(function* <A>(question: Effect.Effect<A, PostgresError>) {
      unanswered = 0
      connections.answered()
      if (!wasQuiet) return
      // If it is answered now, the old connection has not waited for a lock.
      yield* question
      wasQuiet = false
      yield* connections.renew
    }),
    asking: <A>(question: Effect.Effect<A, PostgresError>) =>
      Effect.suspend(() => {
        answers = connections.answers()
        return question
      }),
    failed: ({ message }: PostgresError): void => {
      if (message === TIMED_OUT) wasQuiet = true
      if (message !== NOT_ANSWERED) return
      unanswered++
      wasQuiet = false
      const isAnswering = connections.answers() !== answers
      answers = connections.answers()
      if (!isAnswering && !isPatient) connections.silent()
    }
  }
}

/** Those who listen for as long as their scopes are open. */
const listening = <A>() => {
  const all = new Set<A>()
  const add = (listener: A) =>
    Effect.acquireRelease(
      Effect.sync(() => all.add(listener)),
      () => Effect.sync(() => all.delete(listener))
    )
  return { all, add }
}

const connect = (config: Configuration, hear: (notification: Notification) => void) =>
  Effect.acquireRelease(
    attempt(async () => {
      const client = new config.Client({ ...config, query_timeout: ANSWER_MILLIS })
      // Without a listener a lost connection would end the process; the next question finds it lost.
      client.on("error", () => {})
      client.on("notification", hear)
      try {
        await client.connect()
        await client.query(SETTINGS)
        await client.query(`LISTEN ${CHANGES}; LISTEN ${ALERTS}`)
      } catch (error) {
        ended(client)
        throw error
      }
      return client
    }),
    (client) => Effect.sync(() => ended(client))
  )

/** The last alert, and the last entry of timelines and the last change before which nothing is missing. */
interface Heads {
  readonly alert: number
  readonly final: number
  readonly change: number
}

const heads = (client: Client) =>
  attempt(async () => {
    const { rows } = await client.query<Heads>(
      "SELECT alert, final, signalbox_changes() AS change FROM signalbox_events()"
    )
    return rows[0] ?? { alert: 0, final: 0, change: 0 }
  })

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, PostgresError> =>
  Effect.tryPromise({ try: run, catch: errorOf })
