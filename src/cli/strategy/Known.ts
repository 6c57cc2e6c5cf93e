// Looks up the strategy and exchange account that a command names, and explains what is missing.
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import type { Subject } from "../../domain/requests/ArmingStatement.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { ExchangeAccounts } from "../../services/ExchangeAccounts.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { plain } from "../program/table.ts"

/** The command could not be carried out: exit code 1. */
export class NotDone extends Data.TaggedError("NotDone")<{ readonly message: string }> {}

/** The operator's view: a strategy of any account. */
export const strategyOf = Effect.fnUntraced(function* (id: number) {
  const all = yield* Effect.flatMap(StrategyStore, (store) => store.all)
  const found = all.find((strategy) => strategy.id === id)
  return found ?? (yield* new NotDone({ message: `there is no strategy ${id}: signalbox strategy list` }))
})

/** A strategy's id, name and currency, as sentences name it. */
export const subjectOf = ({ id, settings: { name, quote } }: Strategy): Subject => ({
  id,
  name: plain(name),
  quote
})

/** The exchange account with that name or id, among those of the strategy's owner. */
export const exchangeAccountOf = Effect.fnUntraced(function* (strategy: Strategy, account: string) {
  const own = yield* Effect.flatMap(ExchangeAccounts, ({ list }) => list(strategy.account))
  const found = own.filter(({ id, name }) => name === account || String(id) === account)
  const [first, second] = found
  if (first === undefined) return yield* new NotDone({ message: noneOf(own) })
  if (second === undefined) return first
  const both = found.map(({ id, name }) => `${id} (${name})`).join(" and ")
  return yield* new NotDone({
    message: `--account ${plain(account)} matches ${both}: give a name or id that only one of them has`
  })
})

const noneOf = (own: ReadonlyArray<ExchangeAccount>): string =>
  own.length === 0
    ? "the strategy's owner has no exchange account: signalbox account connect EXCHANGE"
    : `the strategy's owner has no such exchange account, only ${own.map(({ id, name }) => `${id} (${name})`).join(", ")}`
