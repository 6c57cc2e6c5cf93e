// The use case of trading with real money: propose terms, arm on exactly those, disarm. A strategy is armed only with a
// fresh confirmation of the very terms, after the exchange account was checked.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Account.ts"
import type { Armed, ArmedTerms } from "../domain/Arming.ts"
import * as Decimal from "../domain/Decimal.ts"
import type { ExchangeAccount } from "../domain/ExchangeAccount.ts"
import type { Strategy, StrategyNotFound } from "../domain/Strategy.ts"
import { isFlat } from "../trading/Bot.ts"
import * as Confirmations from "./arming/Confirmations.ts"
import * as KeyedMutex from "./arming/KeyedMutex.ts"
import * as SharedAccount from "./arming/SharedAccount.ts"
import * as Terms from "./arming/Terms.ts"
import { Bots } from "./Bots.ts"
import { ExchangeAccounts } from "./ExchangeAccounts.ts"
import { bindingOn, Halts } from "./money/Halts.ts"
import { balanceOf, Wallets } from "./money/Wallets.ts"
import { StrategyStore } from "./StrategyStore.ts"

/** Why a strategy was not armed or disarmed; `detail` says what to do. */
export class ArmingRefused extends Schema.TaggedError<ArmingRefused>()("ArmingRefused", {
  reason: Schema.Literal(
    "not_flat",
    "armed_already",
    "not_armed",
    "unknown_exchange_account",
    "exchange_not_listed",
    "bad_terms",
    "balance_too_small",
    "account_unavailable",
    "may_withdraw",
    "confirmation_needed",
    "busy"
  ),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** The statement that the owner has to agree to. `confirmation` arms on these very terms, once, within five minutes. */
export interface Proposal {
  readonly confirmation: string
  /** In ms since the epoch. */
  readonly expiresAt: number
  readonly statement: string
  readonly warnings: ReadonlyArray<string>
}

/** How a strategy trades. */
export interface TradingMode {
  readonly mode: "paper" | "live" | "leaving"
  readonly armed?: Armed
  /** Absent where the exchange account was removed. */
  readonly exchangeAccount?: ExchangeAccount
  /** The loss of the day so far, in quote; negative for a gain. Absent without prices. */
  readonly lostToday?: Decimal.Decimal
  /** Markets on which the exchange holds less than the books say: the bot has stopped there. */
  readonly astray: ReadonlyArray<string>
}

/** How long a request waits for the exchange, and for requests before it at the same exchange (ms). */
const PATIENCE_MS = 20_000

/** Arms and disarms the caller's own strategies. A use case. */
export class Arming extends Context.Tag("signalbox/services/Arming")<
  Arming,
  {
    readonly mode: (account: AccountId, strategy: number) => Effect.Effect<TradingMode, StrategyNotFound>
    /** Checks everything that arming requires, and changes nothing. */
    readonly propose: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms
    ) => Effect.Effect<Proposal, StrategyNotFound | ArmingRefused>
    /** Arms the strategy on proposed terms. */
    readonly arm: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms,
      confirmation: string
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
    /**
     * Ends trading with real money: the strategy is on paper at once where nothing is open, else once everything is
     * closed.
     */
    readonly disarm: (
      account: AccountId,
      strategy: number,
      how: { readonly close: boolean; readonly forget: boolean }
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
  }
>() {
  /** `closed` says why nothing may be armed on this server: replayed prices must not move real money. */
  static readonly layer = (options: { readonly closed?: string } = {}) => Layer.effect(Arming, make(options))
}

const make = Effect.fnUntraced(function* ({ closed }: { readonly closed?: string }) {
  const store = yield* StrategyStore
  const accounts = yield* ExchangeAccounts
  const wallets = yield* Wallets
  const halts = yield* Halts
  const neighbours = yield* SharedAccount.make
  const bots = yield* Bots
  const confirmations = Confirmations.make()
  const alone = KeyedMutex.make(PATIENCE_MS)
  /**
   * One arming at a time for each exchange: two strategies must not be armed on the same balance, and one exchange must
   * not delay another's.
   */
  const inTurn = <A, E>(arming: Effect.Effect<A, E>, owner: AccountId, terms: ArmedTerms) =>
    Effect.option(accounts.get(owner, terms.account)).pipe(
      Effect.map(
        Option.match({ onNone: () => "", onSome: ({ exchange, sandbox }) => `${exchange} ${sandbox}` })
      ),
      Effect.flatMap((key) =>
        alone(
          key,
          arming,
          refused("busy", "other strategies are being armed at that exchange: try again in a moment")
        )
      )
    )

  const modeOf = Effect.fnUntraced(function* (strategy: Strategy) {
    const { lostToday, state } = yield* bots.stand(strategy)
    const { live } = state
    const astray = Object.entries(state.slots).flatMap(([key, slot]) =>
      slot.astray === undefined ? [] : [key]
    )
    if (live === undefined) return { mode: "paper", astray } satisfies TradingMode
    const account = yield* Effect.option(accounts.get(strategy.account, live.account))
    return {
      mode: live.leaving === true ? "leaving" : "live",
      armed: live,
      astray,
      ...(lostToday === undefined ? {} : { lostToday }),
      ...Option.match(account, { onNone: () => ({}), onSome: (exchangeAccount) => ({ exchangeAccount }) })
    } satisfies TradingMode
  })

  /** Checks everything that arming requires; returns the statement to agree to. */
  const examined = (strategy: Strategy, terms: ArmedTerms) =>
    Effect.timeoutFail(looked(strategy, terms), {
      duration: PATIENCE_MS,
      onTimeout: () =>
        new ArmingRefused({
          reason: "account_unavailable",
          detail: `the exchange did not report the account's balances within ${PATIENCE_MS / 1000} seconds: try again`
        })
    })
  const looked = Effect.fnUntraced(function* (strategy: Strategy, terms: ArmedTerms) {
    if (closed !== undefined) return yield* refused("account_unavailable", closed)
    const error = Terms.errorOf(terms)
    if (error !== undefined) return yield* refused("bad_terms", error)
    const exchangeAccount = yield* Effect.catchTag(
      accounts.get(strategy.account, terms.account),
      "ExchangeAccountNotFound",
      ({ message }) => refused("unknown_exchange_account", message)
    )
    const { exchange, sandbox } = exchangeAccount
    const elsewhere = strategy.settings.exchanges.find((listed) => listed.exchange !== exchange)
    if (elsewhere !== undefined)
      return yield* refused(
        "exchange_not_listed",
        `the account is at ${exchange}, and the strategy trades on ${elsewhere.exchange}: an armed strategy trades on one exchange alone`
      )
    const { state } = yield* bots.stand(strategy)
    if (state.setAside !== undefined)
      return yield* refused("busy", "its bot is set aside: change the strategy's settings first")
    if (state.live !== undefined)
      return yield* refused("armed_already", "it trades with real money already: disarm it first")
    if (!isFlat(state))
      return yield* refused(
        "not_flat",
        "it has something open on paper: close that first, or wait until it is closed"
      )
    const unlocked = yield* Effect.catchTags(accounts.unlock(terms.account), {
      ExchangeAccountNotFound: ({ message }) => refused("unknown_exchange_account", message),
      VaultLocked: ({ message }) => refused("account_unavailable", message)
    })
    const wallet = yield* Effect.catchTag(
      wallets.check(exchange, sandbox, unlocked.credentials),
      "WalletUnavailable",
      ({ message }) => refused("account_unavailable", message)
    )
    if (Option.contains(wallet.canWithdraw, true))
      return yield* refused("may_withdraw", "the key may withdraw: take that right from it at the exchange")
    if (Option.contains(wallet.canTrade, false))
      return yield* refused(
        "account_unavailable",
        "the key may not trade: give it that right at the exchange"
      )
    const { quote } = strategy.settings
    const held = Option.getOrUndefined(balanceOf(wallet, quote))
    if (held === undefined)
      return yield* refused(
        "account_unavailable",
        "the exchange reported only a part of the account: try again in a moment"
      )
    const { promised, rivals, twins } = yield* neighbours(strategy, unlocked, wallet.identity)
    const free = Decimal.subtract(held.free, promised)
    if (Decimal.lessThan(free, terms.capital))
      return yield* refused(
        "balance_too_small",
        `the account has ${Decimal.toText(Decimal.max(free, Decimal.zero))} ${quote} that no other strategy counts on, and the capital is ${Decimal.toText(terms.capital)}`
      )
    const halt = bindingOn(yield* halts.all, strategy.account)
    const warnings = Terms.warnings(strategy, exchangeAccount, terms, Option.isSome(halt), rivals)
    return { statement: Terms.statement(strategy, exchangeAccount, terms), warnings, twins }
  })

  const propose = Effect.fn("Arming.propose")(function* (account: AccountId, id: number, terms: ArmedTerms) {
    const strategy = yield* store.get(account, id)
    const { statement, warnings } = yield* examined(strategy, terms)
    const now = yield* Clock.currentTimeMillis
    const { confirmation, expiresAt } = confirmations.give(Terms.keyOf(account, strategy, terms), now)
    return { statement, warnings, confirmation, expiresAt }
  })

  const arm = Effect.fn("Arming.arm")(
    function* (account: AccountId, id: number, terms: ArmedTerms, confirmation: string) {
      const strategy = yield* store.get(account, id)
      const now = yield* Clock.currentTimeMillis
      if (!confirmations.take(Terms.keyOf(account, strategy, terms), confirmation, now))
        return yield* refused(
          "confirmation_needed",
          "this confirmation is of other terms, used already or more than five minutes old: ask for a new one"
        )
      const { twins } = yield* examined(strategy, terms)
      yield* Effect.catchTag(bots.arm(strategy, terms, twins), "StrategyBusy", () =>
        refused(
          "busy",
          "it is not flat, has alerts to judge or was changed just now: try again when nothing is open"
        )
      )
      return yield* modeOf(strategy)
    },
    (arming, account, _, terms) => inTurn(arming, account, terms)
  )

  const disarm = Effect.fn("Arming.disarm")(function* (
    account: AccountId,
    id: number,
    how: { readonly close: boolean; readonly forget: boolean }
  ) {
    const strategy = yield* store.get(account, id)
    const { state } = yield* bots.stand(strategy)
    if (state.live === undefined) return yield* refused("not_armed", "it is on paper already")
    yield* bots.disarm(strategy, how)
    return yield* modeOf(strategy)
  })

  const mode = Effect.fn("Arming.mode")((account: AccountId, id: number) =>
    Effect.flatMap(store.get(account, id), modeOf)
  )

  return Arming.of({ mode, propose, arm, disarm })
})

const refused = (reason: ArmingRefused["reason"], detail: string) =>
  Effect.fail(new ArmingRefused({ reason, detail }))
