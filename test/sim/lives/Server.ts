// An engine that trades at stubs through the real adapters; it may end and start again.
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
import type { Venue } from "../../reliability/orders/Venue.ts"
import type { Storage } from "./Storage.ts"

/** The engine with the real exchange adapters. */
const layerOf = ({ ports }: Storage, urls: Addresses) =>
  Memory.layerWith(
    Layer.merge(Exchanges.layer, Wallets.layer).pipe(
      Layer.provide(Connections.layer({ urls })),
      Layer.merge(StreamingFeed.layer),
      Layer.provideMerge(ports)
    ),
    { rates: { crud: 0, alert: 0 } }
  )
type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

/** How often a start is tried, and how long after one that failed (ms of real time). */
const MOST_TRIES = 200
const AGAIN_MS = 50

export class Server {
  readonly owner: Identity
  readonly storage: Storage
  readonly #urls: Addresses
  #engine: { readonly scope: Scope.CloseableScope; readonly context: Context.Context<Services> } | undefined

  private constructor(owner: Identity, storage: Storage, urls: Addresses) {
    this.owner = owner
    this.storage = storage
    this.#urls = urls
  }

  /** Makes a server with an account at each exchange, numbered from 1. */
  static async make(venues: ReadonlyArray<Venue>, storage: Storage): Promise<Server> {
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
    const owner = await run(Effect.provide(made, storage.ports))
    return new Server(owner, storage, new Map(venues.map(({ name, stub }) => [name, stub.url])))
  }

  /** Starts the engine, and again where its storage is away at that moment. */
  async begin(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const scope = await Effect.runPromise(Scope.make())
      try {
        const context = await run(Layer.buildWithScope(layerOf(this.storage, this.#urls), scope))
        this.#engine = { scope, context }
        return
      } catch (error) {
        await run(Scope.close(scope, Exit.void))
        if (tries === MOST_TRIES) throw error
        await Bun.sleep(AGAIN_MS)
      }
    }
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
}

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(effect.pipe(Effect.withTracerEnabled(false), Logger.withMinimumLogLevel(LogLevel.Error)))
