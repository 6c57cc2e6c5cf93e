// Decides whether an account is the operator's: the operator is the account that was created first.
import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { Accounts } from "../Accounts.ts"

/** An account's name, and whether it is the operator's. */
export interface Standing {
  readonly name: string
  readonly isOperator: boolean
}

/** Reads an account's name and role. */
export const standingOf = (account: AccountId): Effect.Effect<Standing, never, Accounts> =>
  Effect.map(
    Effect.flatMap(Accounts, ({ all }) => all),
    (accounts) => ({
      name: accounts.find(({ id }) => id === account)?.name ?? "",
      isOperator: accounts[0]?.id === account
    })
  )
