// The address of a database, with the user and password in it kept from everybody but the driver.
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type PoolConfig, TypeOverrides } from "pg"
import { FORM, hasKnownSslMode, isAddress, SSL_MODES, shownAddress } from "../../domain/requests/Database.ts"
import { DatabaseUnavailable } from "../../sql/client/DatabaseErrors.ts"
import * as Password from "./Password.ts"

/** The longest that connecting, or waiting for a free connection, may take (ms). */
const CONNECT_MILLIS = 5_000
/** The longest that a statement may take (ms): the server is told, and we wait a little longer for what it answers. */
const STATEMENT_MILLIS = 15_000
const ANSWER_MILLIS = STATEMENT_MILLIS + 2_000
/**
 * The longest that a transaction may do nothing (ms), so that a node that was stopped dead holds no locks. Shorter than a
 * lease, since whoever takes over locks the same rows, and than a statement, which would give up on them.
 */
const IDLE_MILLIS = 8_000

/** The number of the type `bigint`, which holds all our integers and counts. The driver would leave them text. */
const BIGINT = 20
const types = new TypeOverrides()
types.setTypeParser(BIGINT, Number)

/** A database of a Postgres server. */
export interface Options {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
  /** The name of this process, unique among those of the database. */
  readonly node: string
  /** Whether statements wait for as long as they may where the server answers nothing: no request waits for a command. */
  readonly isPatient?: boolean
}

/** An address as it may be shown: without user, password and options. */
export const shown = shownAddress

/** Why an address cannot be used; undefined where it can. */
const refusalOf = (text: string): string | undefined => {
  if (!isAddress(text)) return `its address is not one: ${FORM}`
  return hasKnownSslMode(text) ? undefined : `the sslmode of its address is none of ${SSL_MODES.join(", ")}`
}

/** What the driver connects with, and the client that does. */
export interface Configuration extends PoolConfig {
  readonly Client: Password.ClientClass
}

/** Makes it of an address; fails where that is none. */
export const configOf = Effect.fnUntraced(function* ({ node, url }: Options) {
  const text = Redacted.value(url)
  const reason = refusalOf(text)
  if (reason !== undefined) return yield* new DatabaseUnavailable({ filename: shown(url), reason })
  return {
    // The driver's own way to a file of passwords is deprecated, and says so on every start.
    Client: Password.clientWith(yield* Effect.orDie(Password.file)),
    connectionString: text,
    application_name: node,
    types,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MILLIS,
    query_timeout: ANSWER_MILLIS,
    statement_timeout: STATEMENT_MILLIS,
    idle_in_transaction_session_timeout: IDLE_MILLIS
  } satisfies Configuration
})

/**
 * What every connection is told at its start, whatever the server's defaults are: an answered commit is on disk, and
 * each statement sees what was committed before it. Plans are kept, and a plan that reads a whole table because it is small
 * would be slower with every row that comes: rows are found by an index wherever there is one. Where there is none, Postgres
 * deems the statement so costly that it would compile it first: hence no JIT.
 */
export const SETTINGS = `SELECT set_config('default_transaction_isolation', 'read committed', false),
  set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'on'
    ELSE current_setting('synchronous_commit') END, false),
  set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)`
