// Halts in effect as the commands print them, with the account that each binds. A halt without an account binds
// everybody.
import * as Options from "@effect/cli/Options"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Halt } from "../../domain/Halt.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Halts, type Whose } from "../../services/money/Halts.ts"
import { moment, plain } from "../program/table.ts"

/** There is no account of that name: exit code 1. */
class NoAccount extends Data.TaggedError("NoAccount")<{ readonly message: string }> {}

export const account = (what: string) =>
  Options.text("account").pipe(Options.optional, Options.withDescription(what))

/** The id of the named account; none means everybody. */
export const whose = Effect.fnUntraced(function* (named: Option.Option<string>) {
  if (Option.isNone(named)) return Option.none<AccountId>()
  const accounts = yield* Effect.flatMap(Accounts, ({ all }) => all)
  const found = accounts.find(({ name }) => name === named.value)
  return found === undefined
    ? yield* new NoAccount({
        message: `there is no account ${plain(named.value)}, only ${accounts.map(({ name }) => plain(name)).join(", ")}`
      })
    : Option.some(found.id)
})

/** A halt in effect; `name` is the account's, undefined for everybody. */
export interface InForce extends Halt {
  readonly name: string | undefined
}

/** All halts in effect, everybody's first. */
export const inForce = Effect.gen(function* () {
  const names = new Map((yield* Effect.flatMap(Accounts, ({ all }) => all)).map(({ id, name }) => [id, name]))
  const halts = yield* Effect.flatMap(Halts, ({ all }) => all)
  return halts.map(
    (halt): InForce => ({ ...halt, name: Option.getOrUndefined(Option.map(halt.account, nameIn(names))) })
  )
})

const nameIn = (names: ReadonlyMap<AccountId, string>) => (id: AccountId) => names.get(id) ?? String(id)

export const viewOf = ({ at, cause, name, text }: InForce) => ({
  account: name ?? null,
  since: Math.floor(at / 1000),
  cause,
  text
})

/** One line about a halt. */
export const lineOf = ({ at, name, text }: InForce): string =>
  `Entries of ${ofWhom(name)} are halted since ${moment(at / 1000)} UTC: ${plain(text)}. Exits go on.`

/** The command that ends it. */
export const endOf = ({ name }: InForce): string =>
  name === undefined ? "signalbox resume" : `signalbox resume --account ${plain(name)}`

export const ofWhom = (name: string | undefined): string =>
  name === undefined ? "everybody" : `account ${plain(name)}`

export const isOf =
  (whose: Whose) =>
  ({ account }: InForce) =>
    Option.getOrUndefined(account) === Option.getOrUndefined(whose)
