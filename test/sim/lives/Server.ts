// An engine in memory that trades at stubs through the real adapters; it may end and start again.
import { type Context, Effect, Exit, Layer, Logger, LogLevel, Option, Redacted, Scope } from "effect"
import type { Addresses } from "../../../src/ccxt/Addresses.ts"
import type { Identity } from "../../../src/domain/Account.ts"
import { Connections } from "../../../src/exchange/Connections.ts"
import * as Exchanges from "../../../src/exchange/Exchanges.ts"
import * as Wallets from "../../../src/exchange/Wallets.ts"
import * as Memory from "../../../src/Memory.ts"
import { Accounts } from "../../../src/services/Accounts.ts"
import { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import * as StreamingFeed from "../../../src/services/feeds/StreamingFeed.ts"
import { Orders } from "../../../src/services/money/Orders.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"

/** Rows in memory, which outlive the engine. */
const kept = Layer.provideMerge(Layer.merge(ExchangeAccounts.layerMemory, Orders.layerMemory), Memory.ports)
type Kept = Layer.Layer.Success<typeof kept>

/** The engine with the real exchange adapters. */
const layerOf = (rows: Context.Context<Kept>, urls: Addresses) =>
  Memory.layerWith(
    Layer.merge(Exchanges.layer, Wallets.layer).pipe(
      Layer.provide(Connections.layer({ urls })),
      Layer.merge(StreamingFeed.layer),
      Layer.provideMerge(Layer.succeedContext(rows))
    ),
    { rates: { crud: 0, alert: 0 } }
  )
type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

export class Server {
  readonly owner: Identity
  readonly #rows: Context.Context<Kept>
  readonly #urls: Addresses
  #engine: { readonly scope: Scope.CloseableScope; readonly context: Context.Context<Services> } | undefined

  private constructor(owner: Identity, rows: Context.Context<Kept>, urls: Addresses) {
    this.owner = owner
    this.#rows = rows
    this.#urls = urls
  }

  /** Makes a server with an account at each exchange, numbered from 1. */
  static async make(venues: ReadonlyArray<Venue>): Promise<Server> {
    const scope = await Effect.runPromise(Scope.make())
    const rows = await run(Layer.buildWithScope(kept, scope))
    const made = Effect.gen(function* () {
      const accounts = yield* Accounts
      const { secret } = yield* accounts.issue("ann", "full", Option.none())
      const owner = yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
      const own = yield* ExchangeAccounts
      for (const { desk, name } of venues) {
        const { apiKey, password, secret: key } = desk.credentials
        const credentials = {
          apiKey: Redacted.make(apiKey),
          secret: Redacted.make(key),
          ...(password === undefined ? {} : { password: Redacted.make(password) })
        }
        yield* own.add(owner.account, { name, exchange: name, sandbox: false, credentials })
      }
      return owner
    })
    const owner = await run(Effect.provide(made, rows))
    return new Server(owner, rows, new Map(venues.map(({ name, stub }) => [name, stub.url])))
  }

  async begin(): Promise<void> {
    const scope = await Effect.runPromise(Scope.make())
    const context = await run(Layer.buildWithScope(layerOf(this.#rows, this.#urls), scope))
    this.#engine = { scope, context }
  }

  /** Ends the engine; work in progress stays as it is. */
  async end(): Promise<void> {
    const engine = this.#engine
    this.#engine = undefined
    if (engine !== undefined) await run(Scope.close(engine.scope, Exit.void))
  }

  get isUp(): boolean {
    return this.#engine !== undefined
  }

  /** Asks the engine; rejects while it is down. */
  ask<A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> {
    const engine = this.#engine
    if (engine === undefined) return Promise.reject(new Error("the engine is down"))
    return run(Effect.provide(effect, engine.context))
  }

  /** Reads rows, with or without an engine. */
  read<A>(effect: Effect.Effect<A, never, Kept>): A {
    return Effect.runSync(Effect.provide(effect, this.#rows))
  }
}

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.withTracerEnabled(false), Logger.withMinimumLogLevel(LogLevel.Error)))
