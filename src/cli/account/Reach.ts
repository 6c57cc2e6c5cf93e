// The shared parts of the account commands: options, layers, and the lookup of an account by name and owner.
import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"
import * as Addresses from "../../ccxt/Addresses.ts"
import { ExchangeAccountNotFound } from "../../domain/ExchangeAccount.ts"
import type { Database } from "../../domain/requests/Database.ts"
import * as Connections from "../../exchange/Connections.ts"
import * as Wallets from "../../exchange/Wallets.ts"
import * as Records from "../../Records.ts"
import { Accounts } from "../../services/Accounts.ts"
import { ExchangeAccounts } from "../../services/ExchangeAccounts.ts"
import * as Vault from "../../vault/Vault.ts"
import { option } from "../config/options.ts"
import { onStored } from "../program/shared.ts"
import { usage } from "../program/usage.ts"

/** The account command failed: exit code 1. */
export class AccountFailed extends Data.TaggedError("AccountFailed")<{ readonly message: string }> {}

export const name = Args.text({ name: "name" }).pipe(
  Args.withDescription("the exchange account's name, as signalbox account list shows it")
)
export const owner = Options.text("owner").pipe(
  Options.optional,
  Options.withDescription("the account that owns it, as token create named it; required if there are several")
)
export const exchangeUrls = option(Config.SETTINGS.exchangeUrls)

interface Places {
  readonly db: Database
  readonly exchangeUrls: string
}

/** Runs a command on the database's exchange accounts, and on connections to the exchanges. */
export const onAccounts =
  ({ db, exchangeUrls }: Places) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.flatMap(addresses(exchangeUrls), (urls) =>
      self.pipe(
        Effect.provide(
          Wallets.layer.pipe(
            Layer.provide(Connections.Connections.layer({ urls })),
            Layer.provideMerge(Records.layerExchangeAccounts),
            Layer.provideMerge(Vault.layer)
          )
        ),
        onStored(db)
      )
    )

const addresses = (text: string) =>
  Effect.catchAll(Addresses.parse(text), (error) => usage(`--exchange-urls ${error}`))

/** The owner that is named, else the only one. */
export const ownerOf = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const all = yield* Effect.flatMap(Accounts, (accounts) => accounts.all)
  if (Option.isNone(named) && all.length > 1)
    return yield* usage(`choose the owner with --owner: ${all.map(({ name }) => name).join(", ")}`)
  const found = all.find(({ name }) => Option.getOrElse(named, () => name) === name)
  if (found !== undefined) return found
  return yield* new AccountFailed({
    message: "there is no such owner: create one with signalbox token create --account NAME"
  })
})

/** Exchange accounts of one owner or of all, each with its owner. */
export const accountsOf = Effect.fnUntraced(function* (named: Option.Option<string>) {
  const owners = Option.isSome(named)
    ? [yield* ownerOf(named)]
    : yield* Effect.flatMap(Accounts, (accounts) => accounts.all)
  const { list } = yield* ExchangeAccounts
  const lists = yield* Effect.forEach(owners, (owner) =>
    Effect.map(list(owner.id), (all) => all.map((account) => ({ account, owner })))
  )
  return lists.flat()
})

/** The exchange account with that name. */
export const accountNamed = Effect.fnUntraced(function* (name: string, named: Option.Option<string>) {
  const [first, ...others] = (yield* accountsOf(named)).filter(({ account }) => account.name === name)
  if (first === undefined) return yield* new ExchangeAccountNotFound()
  if (others.length === 0) return first
  const owners = [first, ...others].map(({ owner }) => owner.name).join(", ")
  return yield* usage(`several owners have an account of that name: choose one with --owner (${owners})`)
})
