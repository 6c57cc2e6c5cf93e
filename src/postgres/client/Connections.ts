// The connections of a process beside the one that listens. A connection may be dead without a word: where the machine or
// the network stops, nothing answers and nothing refuses. Whoever listens to the server notices, and then:
//
// 1. A server that lets even a new connection wait, and answers nobody else meanwhile, is silent. What is on its way is
//    given up, because its answer may never come, and statements fail at once until the server answers. One statement at a
//    time tries a connection of its own, with more patience: a server that is only slow answers that.
// 2. A server that answers a new connection alone may have forgotten the others. They are not used again, and what is on
//    its way there is given up a moment later.
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Pool, type PoolClient } from "pg"
import { inRealTime } from "../../services/internal/RealTime.ts"
import { type Configuration, SETTINGS } from "./Address.ts"
import { SILENT, sqlErrorOf } from "./PostgresError.ts"

/** The most connections of one process beside those that listen. */
const MAX_CONNECTIONS = 10
/** How long an unused connection is kept (ms). */
const UNUSED_MILLIS = 60_000
/** The longest that the end of all connections may take: a silent server confirms none. */
const END = "1 second"
/** How long a connection that may be forgotten has for the answer on its way. */
const GRACE = "500 millis"

/** A connection in use. */
export interface Lent {
  readonly client: PoolClient
  /** Gives it back, once; a broken one is closed. */
  readonly giveBack: (isBroken: boolean) => void
}

/** The connections of a process to its server. */
export class Connections extends Context.Tag("signalbox/postgres/client/Connections")<
  Connections,
  {
    /** A connection that is free, or a new one. Fails at once while the server is silent. */
    readonly lend: Effect.Effect<Lent, SqlError>
    /** How many statements and connections were answered so far. */
    readonly answers: () => number
    /** The server does not answer. Called again for as long as that is so. */
    readonly silent: () => void
    /** The server has answered. */
    readonly answered: () => void
    /** The server answers, but may have forgotten these connections: ends once they are done or given up. */
    readonly renew: Effect.Effect<void>
  }
>() {}

/** Makes the connections, which end with the scope. Throws where the driver refuses the configuration. */
export const make = (config: Configuration): Effect.Effect<typeof Connections.Service, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => pools(config)),
      ({ current }) =>
        Effect.promise(() => current().end()).pipe(
          Effect.timeout(END),
          inRealTime,
          Effect.ignore,
          Effect.interruptible
        )
    ),
    (all) => {
      const { giveUp, replace, silence } = all
      return {
        lend: lend(all),
        answers: () => silence.answers,
        silent: () => {
          // Whoever was cut off now has waited long enough.
          silence.mayTry = silence.isOn
          if (silence.isOn) return
          silence.isOn = true
          replace()
          giveUp()
        },
        answered: () => heard(silence),
        renew: Effect.sync(replace).pipe(
          Effect.zipRight(inRealTime(Effect.sleep(GRACE))),
          Effect.zipRight(Effect.sync(giveUp))
        )
      }
    }
  )

/** What is known of a server that may be silent. */
interface Silence {
  isOn: boolean
  /** Whether a statement may try a connection of its own. */
  mayTry: boolean
  answers: number
}

const heard = (silence: Silence): void => {
  silence.isOn = false
  silence.answers++
}

interface Pools {
  readonly silence: Silence
  readonly current: () => Pool
  /** The connections in use, with the pools that they are of. */
  readonly lent: Map<PoolClient, Pool>
  /** Whoever waits for a connection, to be called when the pool is another one. */
  readonly waiting: Set<() => void>
}

/** The pool of the moment. One that is replaced lends nothing more. */
const pools = (config: Configuration) => {
  let current = poolOf(config)
  const lent: Pools["lent"] = new Map()
  const waiting: Pools["waiting"] = new Set()
  const silence: Silence = { isOn: false, mayTry: false, answers: 0 }
  return {
    silence,
    current: () => current,
    lent,
    waiting,
    replace: () => {
      const before = current
      current = poolOf(config)
      ended(before)
      for (const again of [...waiting]) again()
    },
    /** The driver ends a connection with a statement on its way at once, and the statement fails. */
    giveUp: () => {
      for (const [client, pool] of lent) if (pool !== current) ended(client)
    }
  }
}

/** Ends without waiting for the server, which may never confirm it. */
export const ended = (it: { readonly end: () => Promise<void> }): void => void it.end().catch(() => {})

const poolOf = (config: Configuration): Pool => {
  const pool = new Pool({
    ...config,
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: UNUSED_MILLIS,
    onConnect: async (client) => {
      // Without a listener, a connection that is lost while in use would end the process.
      client.on("error", () => {})
      await client.query(SETTINGS)
    }
  })
  // An unused connection that is lost is gone from the pool, and that is all.
  pool.on("error", () => {})
  return pool
}

const lend = ({ current, lent, silence, waiting }: Pools): Effect.Effect<Lent, SqlError> =>
  Effect.async((resume) => {
    const fail = (cause: unknown) => resume(Effect.fail(sqlErrorOf(cause)))
    const found = (pool: Pool, client: PoolClient): Lent => {
      lent.set(client, pool)
      return {
        client,
        giveBack: (isBroken) => {
          if (!lent.delete(client)) return
          if (!isBroken) silence.answers++
          client.release(isBroken || pool !== current())
        }
      }
    }
    const attempt = (isFirst: boolean) => {
      if (silence.isOn && !(isFirst && silence.mayTry)) return fail(SILENT)
      silence.mayTry = false
      const pool = current()
      let isOver = false
      const again = () => {
        isOver = true
        waiting.delete(again)
        attempt(false)
      }
      waiting.add(again)
      // The driver throws at once where it cannot read a certificate's file.
      Promise.try(() => pool.connect()).then(
        (client) => {
          waiting.delete(again)
          heard(silence)
          if (isOver) client.release(true)
          else resume(Effect.succeed(found(pool, client)))
        },
        (cause) => {
          waiting.delete(again)
          if (!isOver) fail(silence.isOn ? SILENT : cause)
        }
      )
    }
    attempt(true)
  })
