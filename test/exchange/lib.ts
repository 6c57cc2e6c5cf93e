// What the tests of the adapter share: stubs of the seven, and an account at each.
import * as Brand from "effect/Brand"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { descriptors } from "../../src/ccxt/descriptors.ts"
import { AccountId } from "../../src/domain/Account.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import type { Credentials } from "../../src/domain/ExchangeAccount.ts"
import { ExchangeAccountNotFound } from "../../src/domain/ExchangeAccount.ts"
import { type KnownExchange, Pair } from "../../src/domain/Market.ts"
import { Connections, type Options } from "../../src/exchange/Connections.ts"
import * as Exchanges from "../../src/exchange/Exchanges.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import type { Approved } from "../../src/trading/Risk.ts"
import type { StubMarket } from "../exchanges/Protocol.ts"
import { protocols } from "../exchanges/protocols.ts"
import { Stub } from "../exchanges/Stub.ts"

export const SPOT: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "spot", priceStep: "0.01", amountStep: "0.0001" },
  ...{ minAmount: "0.0002", minCost: "5", makerFee: 0.001, takerFee: 0.002 }
}
export const SWAP: StubMarket = {
  ...{ pair: Pair.make("BTC/USDT"), kind: "swap", priceStep: "0.1", amountStep: "0.001" },
  ...{ minAmount: "0.001", minCost: "5", contractSize: "0.001", takerFee: 0.001 }
}
export const OTHER_SWAP: StubMarket = { ...SWAP, pair: Pair.make("ETH/USDT") }
/** Those that have perpetuals. */
export const isSwapper = (name: KnownExchange): boolean => descriptors[name].dialect.isolation !== undefined

/** An exchange with a market or two, money and coins. */
export const stubOf = async (
  name: KnownExchange,
  options: { readonly door?: boolean } = {}
): Promise<Stub> => {
  const markets = isSwapper(name) ? [SPOT, SWAP, OTHER_SWAP] : [SPOT]
  const stub = await Stub.start(protocols[name], markets, options)
  const { funds } = stub.desk.book
  funds.set("USDT", "1000000")
  funds.set("BTC", "10")
  for (const market of markets) stub.quote(market, { bid: 60_000, ask: 60_010, last: 60_005 })
  return stub
}

export const credentialsOf = (stub: Stub): Credentials => {
  const { apiKey, password, secret } = stub.desk.credentials
  return {
    apiKey: Redacted.make(apiKey),
    secret: Redacted.make(secret),
    ...(password === undefined ? {} : { password: Redacted.make(password) })
  }
}

/** What the last gate before an exchange would make of an order that is sound. */
export const seal = Brand.nominal<Approved>()

export const ACCOUNT = ExchangeAccountId.make(1)

/** One account at a stub, until it is removed. */
export const accountsOf = (name: KnownExchange, stub: Stub, state = { isRemoved: false }) =>
  Layer.succeed(
    ExchangeAccounts,
    ExchangeAccounts.of({
      ...{ add: () => Effect.die("unused"), list: () => Effect.succeed([]), get: () => Effect.die("unused") },
      ...{ remove: () => Effect.void, checked: () => Effect.void, rekey: () => Effect.void },
      unlock: (id) =>
        id !== ACCOUNT || state.isRemoved
          ? new ExchangeAccountNotFound()
          : Effect.succeed({
              account: {
                ...{ id, account: AccountId.make(1), name: "main", exchange: name, sandbox: false },
                ...{ createdAt: 0, checkedAt: Option.none(), problem: Option.none() }
              },
              credentials: credentialsOf(stub)
            })
    })
  )

export interface LiveOptions extends Options {
  readonly state?: { isRemoved: boolean }
}

/** The router of orders, on a stub. */
export const liveOn = (
  name: KnownExchange,
  stub: Stub,
  { requestMs = 10_000, state, ...options }: LiveOptions = {}
) =>
  Exchanges.layer.pipe(
    Layer.provide(
      Connections.layer({
        urls: new Map([[name, stub.url]]),
        rate: { perSecond: 100_000, burst: 100_000 },
        ...{ requestMs, ...options }
      })
    ),
    Layer.provide(accountsOf(name, stub, state))
  )
