import * as Effect from "effect/Effect"
import type { AccountId } from "../../domain/Account.ts"
import { Accounts } from "../Accounts.ts"

/** An account by its id, and whether it is the operator's: the one that was made first. */
export interface Standing {
  readonly name: string
  readonly isOperator: boolean
}

/** What an account is on this server. */
export const standingOf = (account: AccountId): Effect.Effect<Standing, never, Accounts> =>
  Effect.map(
    Effect.flatMap(Accounts, ({ all }) => all),
    (accounts) => ({
      name: accounts.find(({ id }) => id === account)?.name ?? "",
      isOperator: accounts[0]?.id === account
    })
  )
