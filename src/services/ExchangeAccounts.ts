// The port of accounts at exchanges, with its in-memory layer. Their API keys are sealed at rest, and leave only
// through `unlock`, redacted.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import { ExchangeAccountId } from "../domain/Arming.ts"
import {
  type Credentials,
  type ExchangeAccount,
  ExchangeAccountName,
  ExchangeAccountNotFound
} from "../domain/ExchangeAccount.ts"
import type { KnownExchange } from "../domain/Market.ts"
import type { VaultLocked } from "./money/Vault.ts"
import { MemoryState, nowSeconds } from "./records/MemoryState.ts"

/** The most exchange accounts of one account. */
export const MAX_EXCHANGE_ACCOUNTS = 50

/** The account has `MAX_EXCHANGE_ACCOUNTS` already. */
export class TooManyExchangeAccounts extends Schema.TaggedError<TooManyExchangeAccounts>()(
  "TooManyExchangeAccounts",
  {}
) {
  override get message() {
    return `there may be ${MAX_EXCHANGE_ACCOUNTS} exchange accounts: remove one that is not used`
  }
}

/** Strategies trade with the exchange account, or have open orders there. */
export class ExchangeAccountInUse extends Schema.TaggedError<ExchangeAccountInUse>()("ExchangeAccountInUse", {
  strategies: Schema.Array(Schema.Int)
}) {
  override get message() {
    const [first, ...others] = this.strategies
    return others.length === 0
      ? `strategy ${first} trades with it: signalbox strategy disarm ${first}, and wait until it is flat`
      : `strategies ${this.strategies.join(", ")} trade with it: disarm each (signalbox strategy disarm ID), and wait until they are flat`
  }
}

/** The account has another exchange account of this name. */
export class ExchangeAccountNameTaken extends Schema.TaggedError<ExchangeAccountNameTaken>()(
  "ExchangeAccountNameTaken",
  { name: ExchangeAccountName }
) {
  override get message() {
    return `there is an exchange account ${this.name} already: give this one another --name`
  }
}

/** A new exchange account with its API keys. */
export interface NewExchangeAccount {
  readonly name: string
  readonly exchange: KnownExchange
  readonly sandbox: boolean
  readonly credentials: Credentials
}

/**
 * Accounts at exchanges, with their keys sealed by the `Vault`. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: an account sees its own and no other's; a foreign and a missing one answer alike. `unlock` is for the sender
 *   of orders, who knows the owner.
 * - Secrets: only `unlock` returns keys, and only Redacted. Each is sealed to its place: owner, row, exchange.
 * - Numbers: ids are never reused, so that an order of a removed account is never taken for another's.
 *
 * **Proved by** `ExchangeAccountsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class ExchangeAccounts extends Context.Tag("signalbox/services/ExchangeAccounts")<
  ExchangeAccounts,
  {
    readonly add: (
      owner: AccountId,
      account: NewExchangeAccount
    ) => Effect.Effect<ExchangeAccount, ExchangeAccountNameTaken | TooManyExchangeAccounts | VaultLocked>
    /** Lists the account's own by creation. */
    readonly list: (owner: AccountId) => Effect.Effect<ReadonlyArray<ExchangeAccount>>
    readonly get: (
      owner: AccountId,
      id: ExchangeAccountId
    ) => Effect.Effect<ExchangeAccount, ExchangeAccountNotFound>
    /** Replaces the keys, at once and for good. */
    readonly rekey: (
      owner: AccountId,
      id: ExchangeAccountId,
      credentials: Credentials
    ) => Effect.Effect<void, ExchangeAccountNotFound | VaultLocked>
    /**
     * Removes the exchange account and its keys for good. `ExchangeAccountInUse` where the bots' rows, if available,
     * show a strategy that trades with it.
     */
    readonly remove: (
      owner: AccountId,
      id: ExchangeAccountId
    ) => Effect.Effect<void, ExchangeAccountNotFound | ExchangeAccountInUse>
    /** Records the result of a check: the problem, or none. */
    readonly checked: (
      owner: AccountId,
      id: ExchangeAccountId,
      problem: Option.Option<string>
    ) => Effect.Effect<void>
    /** Returns the exchange account with its keys, for the sender of its orders. */
    readonly unlock: (
      id: ExchangeAccountId
    ) => Effect.Effect<
      { readonly account: ExchangeAccount; readonly credentials: Credentials },
      ExchangeAccountNotFound | VaultLocked
    >
  }
>() {
  static readonly layerMemory = Layer.effect(
    ExchangeAccounts,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const kept = new Map<number, Kept>()
      const ownBy = (owner: AccountId) =>
        [...kept.values()].map(({ account }) => account).filter(({ account }) => account === owner)
      const any = (id: number, owner?: AccountId) =>
        Effect.suspend(() => {
          const found = kept.get(id)
          const isSeen = found !== undefined && (owner === undefined || found.account.account === owner)
          return isSeen ? Effect.succeed(found) : new ExchangeAccountNotFound()
        })
      return ExchangeAccounts.of({
        add: Effect.fn("ExchangeAccounts.add")(function* (owner, { credentials, exchange, name, sandbox }) {
          const own = ownBy(owner)
          if (own.some((it) => it.name === name)) return yield* new ExchangeAccountNameTaken({ name })
          if (own.length >= MAX_EXCHANGE_ACCOUNTS) return yield* new TooManyExchangeAccounts()
          const account: ExchangeAccount = {
            id: ExchangeAccountId.make(state.nextId("exchange_accounts")),
            account: owner,
            ...{ name, exchange, sandbox },
            createdAt: yield* nowSeconds,
            checkedAt: Option.none(),
            problem: Option.none()
          }
          kept.set(account.id, { account, credentials })
          return account
        }),
        list: Effect.fn("ExchangeAccounts.list")((owner) => Effect.sync(() => ownBy(owner))),
        get: Effect.fn("ExchangeAccounts.get")((owner, id) => Effect.map(any(id, owner), (it) => it.account)),
        rekey: Effect.fn("ExchangeAccounts.rekey")((owner, id, credentials) =>
          Effect.map(any(id, owner), ({ account }) => {
            kept.set(id, { account, credentials })
          })
        ),
        remove: Effect.fn("ExchangeAccounts.remove")((owner, id) =>
          Effect.map(any(id, owner), () => {
            kept.delete(id)
          })
        ),
        checked: Effect.fn("ExchangeAccounts.checked")(function* (owner, id, problem) {
          const now = yield* nowSeconds
          const found = kept.get(id)
          if (found?.account.account !== owner) return
          kept.set(id, { ...found, account: { ...found.account, checkedAt: Option.some(now), problem } })
        }),
        unlock: Effect.fn("ExchangeAccounts.unlock")((id) => any(id))
      })
    })
  )
}

interface Kept {
  readonly account: ExchangeAccount
  readonly credentials: Credentials
}
