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
import type { ExchangeName } from "../domain/Market.ts"
import type { VaultLocked } from "./money/Vault.ts"
import { MemoryState, nowSeconds } from "./records/MemoryState.ts"

/** Exchange accounts that an account may have. */
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

/** Strategies trade with it, or have orders under way there. */
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

/** The account has another of this name. */
export class ExchangeAccountNameTaken extends Schema.TaggedError<ExchangeAccountNameTaken>()(
  "ExchangeAccountNameTaken",
  { name: ExchangeAccountName }
) {
  override get message() {
    return `there is an exchange account ${this.name} already: give this one another --name`
  }
}

/** What it is called and where it is. */
export interface NewExchangeAccount {
  readonly name: string
  readonly exchange: ExchangeName
  readonly sandbox: boolean
  readonly credentials: Credentials
}

/**
 * Accounts at exchanges, with their keys sealed by the `Vault`. A port.
 *
 * **Whoever implements it keeps**
 *
 * - Scope: an account sees its own and no other's; a foreign and a missing one answer alike. `unlock` is for whoever
 *   sends orders, and knows whose they are.
 * - Secrets: only `credentials` gives keys, and only Redacted. They are sealed at their place: owner, row, exchange.
 * - Numbers: never given twice, so that an order of a removed account is never taken for another's.
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
    /** In the order of connecting. */
    readonly list: (owner: AccountId) => Effect.Effect<ReadonlyArray<ExchangeAccount>>
    readonly get: (
      owner: AccountId,
      id: ExchangeAccountId
    ) => Effect.Effect<ExchangeAccount, ExchangeAccountNotFound>
    /** Other keys in the place of those that it had, at once and for good. */
    readonly rekey: (
      owner: AccountId,
      id: ExchangeAccountId,
      credentials: Credentials
    ) => Effect.Effect<void, ExchangeAccountNotFound | VaultLocked>
    /**
     * Gone for good, with its keys. `ExchangeAccountInUse` where the rows of the bots, if they are within reach, show
     * a strategy that trades with it.
     */
    readonly remove: (
      owner: AccountId,
      id: ExchangeAccountId
    ) => Effect.Effect<void, ExchangeAccountNotFound | ExchangeAccountInUse>
    /** What the last check found: none where all was well. */
    readonly checked: (
      owner: AccountId,
      id: ExchangeAccountId,
      problem: Option.Option<string>
    ) => Effect.Effect<void>
    /** With its keys, for whoever sends its orders. */
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
