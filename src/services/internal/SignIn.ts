// Signing in by a one-time code: who gets one, and what a browser gets for it. A code is bound to a token, because a
// session never outlives the token that it began with.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountNameRefused, type Identity, type Token, type TokenId } from "../../domain/Account.ts"
import { Violations, violation } from "../../domain/requests/Violations.ts"
import { Accounts, isName } from "../Accounts.ts"
import { type Issued, SignInCodes } from "../records/SignInCodes.ts"

/** No account has this name. */
export class AccountNotFound extends Data.TaggedError("AccountNotFound")<{ readonly name: string }> {
  override get message() {
    return `there is no account ${this.name}: signalbox token list names the accounts`
  }
}

/** A code, and the account that it signs in to; none where it makes the first account. */
export interface Invitation extends Issued {
  readonly account: Option.Option<string>
}

/**
 * Issues a code for an account, by default for the operator's. Where there is no account, the code makes the first
 * one.
 */
export const invite = Effect.fn("SignIn.invite")(function* (wanted: Option.Option<string>) {
  const accounts = yield* Accounts
  const codes = yield* SignInCodes
  const [operator, ...others] = yield* accounts.all
  const name = Option.getOrUndefined(wanted) ?? operator?.name
  if (operator === undefined && name === undefined) {
    const issued = yield* codes.issue(Option.none())
    return { ...issued, account: Option.none<string>() } satisfies Invitation
  }
  const account = [operator, ...others].find((one) => one?.name === name)?.name
  if (account === undefined) return yield* new AccountNotFound({ name: name ?? "" })
  const issued = yield* codes.issue(Option.some(yield* tokenOf(account)))
  return { ...issued, account: Option.some(account) } satisfies Invitation
})

/** The account's oldest token that may do everything and lasts; a new one, whose secret nobody sees, if it has none. */
const tokenOf = Effect.fnUntraced(function* (account: string) {
  const { issue, tokens } = yield* Accounts
  const lasting = (yield* tokens).find((token) => token.account === account && lasts(token))
  if (lasting !== undefined) return lasting.id
  // The name is that of an account, so it is accepted.
  return (yield* Effect.orDie(issue(account, "full", Option.none()))).token.id
})

const lasts = ({ expiresAt, revokedAt, scope }: Token): boolean =>
  scope === "full" && Option.isNone(expiresAt) && Option.isNone(revokedAt)

/** Whether there is an account. Accounts are never deleted. */
export const isClaimed = Effect.map(
  Effect.flatMap(Accounts, ({ all }) => all),
  (accounts) => accounts.length > 0
)

/**
 * Uses up a code; none where it does not count. `name` is needed where the code makes the first account. A name that is
 * refused does not use up the code.
 */
export const enter = Effect.fn("SignIn.enter")(function* (code: string, name: string | undefined) {
  const accounts = yield* Accounts
  const codes = yield* SignInCodes
  if (!(yield* isClaimed) && (name === undefined || !isName(name))) return yield* nameRefused
  const redeemed = yield* codes.redeem(code)
  if (Option.isNone(redeemed)) return Option.none<Identity>()
  if (Option.isSome(redeemed.value.token)) return yield* identityOf(redeemed.value.token.value)
  // An account that was made meanwhile is the first one: this code no longer makes any.
  if (name === undefined || (yield* isClaimed)) return Option.none<Identity>()
  const { token } = yield* Effect.mapError(accounts.issue(name, "full", Option.none()), () => nameRefused)
  return yield* identityOf(token.id)
})

const nameRefused = Violations.of([
  violation("account", `must be a name: ${new AccountNameRefused().message}`)
])

/** The bearer of a token that still counts. */
const identityOf = Effect.fnUntraced(function* (id: TokenId) {
  const accounts = yield* Accounts
  const token = yield* accounts.valid(id)
  const all = yield* accounts.all
  return Option.flatMap(token, ({ account, scope }) =>
    Option.map(
      Option.fromNullable(all.find(({ name }) => name === account)),
      (found): Identity => ({ account: found.id, token: id, scope })
    )
  )
})
