import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import {
  type Credentials,
  type ExchangeAccount,
  ExchangeAccountName,
  type ExchangeAccountNotFound
} from "../domain/ExchangeAccount.ts"
import type { ExchangeAccountId } from "../domain/Live.ts"
import type { ExchangeName } from "../domain/Market.ts"
import type { VaultLocked } from "./Vault.ts"

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
 * - Scope: an account sees its own and no other's; a foreign and a missing one answer alike.
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
    ) => Effect.Effect<ExchangeAccount, ExchangeAccountNameTaken | VaultLocked>
    /** In the order of connecting. */
    readonly list: (owner: AccountId) => Effect.Effect<ReadonlyArray<ExchangeAccount>>
    readonly get: (
      owner: AccountId,
      id: ExchangeAccountId
    ) => Effect.Effect<ExchangeAccount, ExchangeAccountNotFound>
    /** Gone for good, with its keys. Whether a strategy still trades with it has to be looked at before. */
    readonly remove: (owner: AccountId, id: ExchangeAccountId) => Effect.Effect<void, ExchangeAccountNotFound>
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
>() {}
