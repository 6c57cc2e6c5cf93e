import { Context, Effect, Layer, Logger, LogLevel, Option, Redacted, Runtime, Scope, Exit } from "effect"
import type { Identity } from "../../../src/domain/Account.ts"
import { ExchangeAccountNotFound } from "../../../src/domain/ExchangeAccount.ts"
import { EXCHANGE_NAMES } from "../../../src/domain/Market.ts"
import { ExchangeAccountId } from "../../../src/domain/Live.ts"
import * as Memory from "../../../src/Memory.ts"
import { Connections } from "../../../src/exchange/Connections.ts"
import * as Exchanges from "../../../src/exchange/Exchanges.ts"
import { Accounts } from "../../../src/services/Accounts.ts"
import { ExchangeAccounts } from "../../../src/services/ExchangeAccounts.ts"
import * as LiveFeed from "../../../src/services/LiveFeed.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"

type Ports = Layer.Layer.Success<typeof Memory.ports>
type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

/** Each stub is an exchange account of the one person there is; its number is its place. */
const accountsOf = (venues: ReadonlyArray<Venue>, owner: Identity) =>
  Layer.effect(
    ExchangeAccounts,
    Effect.gen(function* () {
      const all = venues.map((venue, place) => ({
        account: {
          ...{ id: ExchangeAccountId.make(place + 1), account: owner.account, name: venue.name },
          ...{ exchange: venue.name, sandbox: false, createdAt: 0 },
          ...{ checkedAt: Option.none<number>(), problem: Option.none<string>() }
        },
        credentials: {
          apiKey: Redacted.make(venue.desk.credentials.apiKey),
          secret: Redacted.make(venue.desk.credentials.secret),
          ...(venue.desk.credentials.password === undefined
            ? {}
            : { password: Redacted.make(venue.desk.credentials.password) })
        }
      }))
      const find = (id: number) => Effect.fromNullable(all.find(({ account }) => account.id === id)).pipe(
        Effect.mapError(() => new ExchangeAccountNotFound())
      )
      return ExchangeAccounts.of({
        ...(yield* Effect.provide(ExchangeAccounts, MEMORY)),
        list: () => Effect.succeed(all.map(({ account }) => account)),
        get: (_, id) => Effect.map(find(id), ({ account }) => account),
        checked: () => Effect.void,
        unlock: find
      })
    })
  )
