import { call } from "./client.ts"
import { type Query, useQuery } from "./query.ts"
import type { Session } from "./session.ts"
import type { Answer } from "./wire.ts"

type List = Answer<"live", "accounts">
/** An account at an exchange, without its keys. */
export type ExchangeAccount = List["data"][number]

/** The caller's accounts at exchanges; asked for only where they are wanted. */
export const useAccounts = (isWanted = true): Query<List> =>
  useQuery(isWanted ? "accounts" : null, (signal) => call("live", "accounts", { signal }))

/** What an account is called; a removed one by its number. */
export const accountName = (
  id: number | null,
  accounts: ReadonlyArray<ExchangeAccount> | undefined
): string => accounts?.find((it) => it.id === id)?.name ?? `account ${id}`

/** Whether an account trades play money on a test network. What is not known may be real. */
export const isSandbox = (id: number | null, accounts: ReadonlyArray<ExchangeAccount> | undefined): boolean =>
  accounts?.find((it) => it.id === id)?.sandbox === true

/** The command that connects one. Where several people use a server, all but the first say whose it is. */
export const connecting = (exchange: string, { account, operator }: Pick<Session, "account" | "operator">) =>
  `signalbox account connect ${exchange}${operator ? "" : ` --owner ${account}`}`
