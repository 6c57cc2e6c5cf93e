// The connections to all exchange accounts, each opened on first use. Accounts at one exchange share its markets, clock
// and budget; a connection is replaced when its stored keys change.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type { Addresses } from "../ccxt/Addresses.ts"
import type { Rate } from "../ccxt/Descriptor.ts"
import { descriptors } from "../ccxt/descriptors.ts"
import * as Pauses from "../ccxt/Pauses.ts"
import type { ExchangeAccountId } from "../domain/Arming.ts"
import type { Credentials, ExchangeAccountNotFound } from "../domain/ExchangeAccount.ts"
import type { KnownExchange } from "../domain/Market.ts"
import { ExchangeAccounts } from "../services/ExchangeAccounts.ts"
import type { VaultLocked } from "../services/money/Vault.ts"
import * as Connection from "./Connection.ts"
import * as Venue from "./Venue.ts"

/** Addresses, pauses and limits of the exchanges. */
export interface Options {
  /** The base URLs that replace the exchanges' own. */
  readonly urls?: Addresses
  /** Shared with the price feeds. */
  readonly pauses?: Pauses.Pauses
  /** A rate limit in place of the known ones. */
  readonly rate?: Rate
  /** The time-out of a request (ms); 10,000 by default. */
  readonly requestMs?: number
}

/** Connections to exchange accounts. */
export class Connections extends Context.Tag("signalbox/exchange/Connections")<
  Connections,
  {
    /** A connection with keys that are not stored, as long as the scope lives. Sends nothing before it is used. */
    readonly open: (
      exchange: KnownExchange,
      sandbox: boolean,
      credentials: Credentials
    ) => Effect.Effect<Connection.Connection, never, Scope.Scope>
    /** The connection of a stored account, always the same one. Fails at once if the account was removed. */
    readonly of: (
      account: ExchangeAccountId
    ) => Effect.Effect<Connection.Connection, ExchangeAccountNotFound | VaultLocked>
  }
>() {
  static readonly layer = (options: Options = {}) =>
    Layer.scoped(
      Connections,
      Effect.gen(function* () {
        const accounts = yield* ExchangeAccounts
        const scope = yield* Effect.scope
        const venueOf = yield* venuesOf(options)
        const open = Effect.fn("Connections.open")(function* (
          exchange: KnownExchange,
          sandbox: boolean,
          credentials: Credentials
        ) {
          return yield* Connection.make(yield* venueOf(exchange, sandbox), credentials)
        })

        const cache = new Map<
          number,
          {
            readonly connection: Connection.Connection
            readonly credentials: Credentials
            readonly scope: Scope.CloseableScope
          }
        >()
        const forget = Effect.fnUntraced(function* (id: ExchangeAccountId) {
          const known = cache.get(id)
          cache.delete(id)
          if (known !== undefined) yield* Scope.close(known.scope, Exit.void)
        })
        const perAccount = yield* Effect.makeSemaphore(1)
        const of = Effect.fn("Connections.of")(function* (id: ExchangeAccountId) {
          // Unlocked each time: another process may remove the account, and ids are never reused.
          const { account, credentials } = yield* accounts.unlock(id).pipe(Effect.tapError(() => forget(id)))
          const known = cache.get(id)
          if (known !== undefined && isSame(known.credentials, credentials)) return known.connection
          // The stored keys have changed.
          yield* forget(id)
          const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
          const connection = yield* Scope.extend(open(account.exchange, account.sandbox, credentials), own)
          cache.set(id, { connection, credentials, scope: own })
          return connection
        }, perAccount.withPermits(1))
        return { open, of }
      })
    )
}

/** The venue of an exchange or its test network, made on first use; as long as the scope lives. */
const venuesOf = Effect.fnUntraced(function* ({
  pauses = Pauses.make(),
  rate,
  requestMs = 10_000,
  urls = new Map()
}: Options) {
  const scope = yield* Effect.scope
  const one = yield* Effect.makeSemaphore(1)
  const venues = new Map<string, Venue.Venue>()
  return (exchange: KnownExchange, sandbox: boolean) =>
    one.withPermits(1)(
      Effect.gen(function* () {
        const key = `${exchange} ${sandbox}`
        const known = venues.get(key)
        if (known !== undefined) return known
        const place = {
          ...{ exchange, sandbox, pauses, requestMs },
          base: urls.get(exchange),
          rate: rate ?? descriptors[exchange].rate
        }
        const venue = yield* Scope.extend(Venue.make(place), scope)
        venues.set(key, venue)
        return venue
      })
    )
})

const isSame = (some: Credentials, others: Credentials): boolean =>
  valueOf(some.apiKey) === valueOf(others.apiKey) &&
  valueOf(some.secret) === valueOf(others.secret) &&
  valueOf(some.password) === valueOf(others.password)

const valueOf = (secret: Redacted.Redacted | undefined): string | undefined =>
  secret === undefined ? undefined : Redacted.value(secret)
