// Finds what else trades with real money on the same account at an exchange, under any name or key: arming must not
// promise the same balance twice.
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Pair } from "../../domain/Market.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { ExchangeAccounts } from "../ExchangeAccounts.ts"
import { Markets } from "../Markets.ts"
import { Wallets } from "../money/Wallets.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"

/** Another armed strategy of the owner that lists the same perpetuals on the same exchange account. */
export interface Rival {
  readonly id: StrategyId
  readonly name: string
  readonly pairs: ReadonlyArray<Pair>
}

/** The other users of the exchange account on which a strategy is to be armed. */
export interface SharedAccount {
  /** The amount of the strategy's quote currency that armed strategies may still spend. */
  readonly promised: Decimal.Decimal
  /** Other exchange accounts that are known to be this one. */
  readonly twins: ReadonlyArray<ExchangeAccountId>
  readonly rivals: ReadonlyArray<Rival>
}

/** An exchange account with its keys. */
export type Unlocked = Effect.Effect.Success<ReturnType<typeof ExchangeAccounts.Service.unlock>>

/** Makes the search; `identity` is the exchange's id of the keys' owner, where it reports one. */
export const make = Effect.gen(function* () {
  const accounts = yield* ExchangeAccounts
  const wallets = yield* Wallets
  const portfolio = yield* Portfolio
  const store = yield* StrategyStore
  const markets = yield* Markets

  /**
   * Whether another exchange account is the same one at the exchange: by its API key, or by the identity of its owner.
   */
  const compared = Effect.fnUntraced(
    function* (id: ExchangeAccountId, { account, credentials }: Unlocked, identity: string | undefined) {
      if (id === account.id) return "same"
      const other = yield* accounts.unlock(id)
      const { exchange, sandbox } = other.account
      if (exchange !== account.exchange || sandbox !== account.sandbox) return "other"
      if (Equal.equals(other.credentials.apiKey, credentials.apiKey)) return "same"
      if (identity === undefined) return "other"
      return yield* wallets.check(exchange, sandbox, other.credentials).pipe(
        Effect.map((wallet) => (wallet.identity === identity ? "same" : "other")),
        Effect.orElseSucceed(() => "unknown" as const)
      )
    },
    // Without its keys, nothing can be traded there.
    Effect.orElseSucceed(() => "other" as const)
  )

  const rivalsOf = Effect.fnUntraced(function* (strategy: Strategy, ids: ReadonlyArray<StrategyId>) {
    const catalogue = yield* markets.catalogue
    const perpetuals = pairsOf(strategy).filter(({ exchange, pair }) =>
      Option.isSome(catalogue.market({ exchange, pair, kind: "swap" }))
    )
    const others = yield* Effect.forEach(ids, (id) => Effect.option(store.get(strategy.account, id)))
    return others.flatMap(Option.toArray).flatMap((other): ReadonlyArray<Rival> => {
      const theirs = new Set(pairsOf(other).map(keyOf))
      const pairs = perpetuals.filter((listed) => theirs.has(keyOf(listed))).map(({ pair }) => pair)
      return pairs.length === 0 ? [] : [{ id: other.id, name: other.settings.name, pairs }]
    })
  })

  return Effect.fnUntraced(function* (strategy: Strategy, unlocked: Unlocked, identity: string | undefined) {
    const others = (yield* portfolio.bots).flatMap(({ state: { cash, live, quote }, strategy: id }) =>
      id === strategy.id || live === undefined ? [] : [{ id, cash, live, quote }]
    )
    const found = yield* Effect.forEach(
      new Set(others.map(({ live }) => live.account)),
      (id) => Effect.map(compared(id, unlocked, identity), (how) => [id, how] as const),
      { concurrency: 8 }
    )
    const hows = new Map(found)
    // An account of unknown identity may be the same one: its cash counts too.
    const spending = others.filter(
      ({ live, quote }) =>
        quote === strategy.settings.quote && live.leaving !== true && hows.get(live.account) !== "other"
    )
    const here = others.filter(({ live }) => hows.get(live.account) === "same")
    return {
      promised: Decimal.sum(spending.map(({ cash }) => Decimal.max(cash, Decimal.zero))),
      twins: found.flatMap(([id, how]) => (how === "same" && id !== unlocked.account.id ? [id] : [])),
      rivals: yield* rivalsOf(
        strategy,
        here.map(({ id }) => id)
      )
    } satisfies SharedAccount
  })
})

const pairsOf = ({ settings }: Strategy) =>
  settings.exchanges.flatMap(({ exchange, pairs }) => pairs.map((pair) => ({ exchange, pair })))

const keyOf = ({ exchange, pair }: { readonly exchange: string; readonly pair: Pair }) =>
  `${exchange}:${pair}`
