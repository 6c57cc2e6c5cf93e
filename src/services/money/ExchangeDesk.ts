// The use case of owners with their exchange accounts: list them, check their keys at the exchange, remove them.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../../domain/Account.ts"
import { ExchangeAccountId } from "../../domain/Arming.ts"
import { type ExchangeAccount, ExchangeAccountNotFound } from "../../domain/ExchangeAccount.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { ExchangeAccountInUse, ExchangeAccounts } from "../ExchangeAccounts.ts"
import { errorOf } from "../internal/KeyViolations.ts"
import { Portfolio } from "../Portfolio.ts"
import { StrategyStore } from "../StrategyStore.ts"
import { Wallets } from "./Wallets.ts"

/** An exchange account, and the owner's strategies that trade with it now. */
export interface InUse {
  readonly account: ExchangeAccount
  readonly strategies: ReadonlyArray<StrategyId>
}

/** The use case of exchange accounts: connect, check, list and remove them. */
export class ExchangeDesk extends Context.Tag("signalbox/services/money/ExchangeDesk")<
  ExchangeDesk,
  {
    /** Lists the owner's own, by connection. */
    readonly list: (owner: AccountId) => Effect.Effect<ReadonlyArray<InUse>>
    /** Asks the exchange whether the keys still work, and stores the result. */
    readonly check: (owner: AccountId, id: number) => Effect.Effect<InUse, ExchangeAccountNotFound>
    /** Removes the exchange account and its keys for good; refused while a strategy trades with it. */
    readonly remove: (
      owner: AccountId,
      id: number
    ) => Effect.Effect<void, ExchangeAccountNotFound | ExchangeAccountInUse>
  }
>() {
  static readonly layer = Layer.effect(
    ExchangeDesk,
    Effect.gen(function* () {
      const accounts = yield* ExchangeAccounts
      const portfolio = yield* Portfolio
      const store = yield* StrategyStore
      const wallets = yield* Wallets

      const own = (owner: AccountId, id: number) =>
        isId(id) ? accounts.get(owner, id) : Effect.fail(new ExchangeAccountNotFound())

      /** The owner's strategies that trade with real money, each with its exchange account. */
      const armed = Effect.fnUntraced(function* (owner: AccountId) {
        const strategies = yield* store.followed(owner)
        const bots = yield* Effect.forEach(strategies, ({ strategy }) => portfolio.bot(strategy.id))
        return bots.flatMap((bot) =>
          bot?.state.live === undefined ? [] : [{ strategy: bot.strategy, account: bot.state.live.account }]
        )
      })
      const using = (all: Effect.Effect.Success<ReturnType<typeof armed>>, id: ExchangeAccountId) =>
        all.filter(({ account }) => account === id).map(({ strategy }) => strategy)

      /** The problem with an account's keys; none where they work. */
      const problem = (id: ExchangeAccountId) =>
        accounts.unlock(id).pipe(
          Effect.flatMap(({ account: { exchange, sandbox }, credentials }) =>
            Effect.map(wallets.check(exchange, sandbox, credentials), (rights) =>
              Option.fromNullable(errorOf(exchange, rights))
            )
          ),
          Effect.catchTags({
            VaultLocked: ({ message }) => Effect.succeedSome(message),
            WalletUnavailable: ({ message }) => Effect.succeedSome(message)
          })
        )

      return {
        list: Effect.fn("ExchangeDesk.list")(function* (owner) {
          const all = yield* armed(owner)
          const found = yield* accounts.list(owner)
          return found.map((account) => ({ account, strategies: using(all, account.id) }))
        }),
        check: Effect.fn("ExchangeDesk.check")(function* (owner, id) {
          const known = yield* own(owner, id)
          yield* accounts.checked(owner, known.id, yield* problem(known.id))
          const all = yield* armed(owner)
          return { account: yield* accounts.get(owner, known.id), strategies: using(all, known.id) }
        }),
        remove: Effect.fn("ExchangeDesk.remove")(function* (owner, id) {
          const account = yield* own(owner, id)
          const strategies = using(yield* armed(owner), account.id)
          if (strategies.length > 0) return yield* new ExchangeAccountInUse({ strategies })
          yield* accounts.remove(owner, account.id)
        })
      }
    })
  )
}

const isId = Schema.is(ExchangeAccountId)
