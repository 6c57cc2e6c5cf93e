// The `Wallets` port over exchange accounts: checks keys, reads balances and perpetual positions. An unreadable answer
// is an error, never an empty wallet.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { TradingClient } from "../ccxt/TradingClient.ts"
import type { ExchangeAccountId } from "../domain/Arming.ts"
import type { Credentials } from "../domain/ExchangeAccount.ts"
import type { KnownExchange, MarketId } from "../domain/Market.ts"
import { type Rights, Wallets, WalletUnavailable } from "../services/money/Wallets.ts"
import type { Connection, Failed, NotSent } from "./Connection.ts"
import { Connections } from "./Connections.ts"
import * as Balances from "./wallets/Balances.ts"
import * as Contracts from "./wallets/Contracts.ts"
import { reasonOf } from "./wallets/KeyRejection.ts"
import * as KeyRights from "./wallets/KeyRights.ts"

const UNREADABLE = "its answer cannot be read: try again in a moment"
const unavailable = (reason: string) => new WalletUnavailable({ reason })

const make = Effect.gen(function* () {
  const connections = yield* Connections
  const connected = (account: ExchangeAccountId) =>
    Effect.mapError(connections.of(account), ({ message }) => unavailable(message))

  return Wallets.of({
    check: Effect.fn("Wallets.check")(function* (
      exchange: KnownExchange,
      sandbox: boolean,
      credentials: Credentials
    ) {
      const connection = yield* connections.open(exchange, sandbox, credentials)
      const wallet = yield* walletOf(connection)
      const rights = yield* rightsOf(connection)
      return { ...wallet, ...rights }
    }, Effect.scoped),
    of: Effect.fn("Wallets.of")(function* (account: ExchangeAccountId) {
      return yield* walletOf(yield* connected(account))
    }),
    contracts: Effect.fn("Wallets.contracts")(function* (account: ExchangeAccountId, market: MarketId) {
      const connection = yield* connected(account)
      if (market.exchange !== connection.venue.exchange || market.kind !== "swap")
        return yield* unavailable("it has no such contract")
      const answer = yield* ask(connection, (ccxt) => Contracts.ask(connection.venue.exchange, market, ccxt))
      const held = Contracts.read(market, answer)
      return Option.isSome(held) ? held.value : yield* unavailable(UNREADABLE)
    })
  })
})

export const layer = Layer.effect(Wallets, make)

/** Sent with the lowest priority: orders go first. */
const ask = (connection: Connection, request: (ccxt: TradingClient) => Promise<unknown>) =>
  Effect.mapError(connection.ask("balance", request), wordsOf(connection))

const wordsOf =
  ({ venue }: Connection) =>
  (failure: Failed | NotSent) =>
    unavailable(failure._tag === "Failed" ? reasonOf(venue.exchange, failure.cause) : failure.reason)

const walletOf = Effect.fnUntraced(function* (connection: Connection) {
  const held = yield* Effect.mapError(Balances.held(connection), wordsOf(connection))
  if (held === undefined) return yield* unavailable(UNREADABLE)
  return { ...held, skewMs: yield* connection.skewMs }
})

/** Test networks may not report a key's rights, or in another form. */
const rightsOf = (connection: Connection): Effect.Effect<Rights, WalletUnavailable> => {
  const { exchange, sandbox } = connection.venue
  const rights = Effect.map(
    ask(connection, (ccxt) => KeyRights.ask(exchange, ccxt)),
    (answer) => KeyRights.read(exchange, answer)
  )
  return sandbox ? Effect.orElseSucceed(rights, () => UNTOLD) : rights
}

const UNTOLD: Rights = { canTrade: Option.none(), canWithdraw: Option.none() }
