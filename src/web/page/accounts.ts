// The caller's exchange accounts: fetched only if something needs them, since most users trade on paper.
import { call } from "./client.ts"
import { type Query, useQuery } from "./query.ts"
import type { Session } from "./session.ts"
import type { Answer } from "./wire.ts"

type List = Answer<"live", "accounts">
/** An exchange account, without its keys. */
export type ExchangeAccount = List["data"][number]

/** The exchange accounts, fetched if `isWanted`. */
export const useAccounts = (isWanted = true): Query<List> =>
  useQuery(isWanted ? "accounts" : null, (signal) => call("live", "accounts", { signal }))

/** An account's name; a removed account's id. */
export const accountName = (
  id: number | null,
  accounts: ReadonlyArray<ExchangeAccount> | undefined
): string => accounts?.find((it) => it.id === id)?.name ?? `account ${id}`

/** Whether an account is on a test network. An unknown account counts as real money. */
export const isSandbox = (id: number | null, accounts: ReadonlyArray<ExchangeAccount> | undefined): boolean =>
  accounts?.find((it) => it.id === id)?.sandbox === true

/** The command that connects an account. Everybody but the operator has to name the owner. */
export const connecting = (exchange: string, { account, operator }: Pick<Session, "account" | "operator">) =>
  `signalbox account connect ${exchange}${operator ? "" : ` --owner ${account}`}`
