// Everything that is checked before a strategy may trade with real money: its terms, its bot, its exchange account and
// the balance there. It changes nothing.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ArmedTerms, ArmingRefused } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import type { Strategy } from "../../domain/Strategy.ts"
import { isFlat } from "../../trading/Bot.ts"
import { Bots } from "../Bots.ts"
import { ExchangeAccounts } from "../ExchangeAccounts.ts"
import { bindingOn, Halts } from "../money/Halts.ts"
import { balanceOf, type Rights, type Wallet, Wallets } from "../money/Wallets.ts"
import * as SharedAccount from "./SharedAccount.ts"
import * as Terms from "./Terms.ts"

/** Makes the checks. `closed` says why nothing may be armed on this server; `patienceMs` is the longest wait. */
export const make = Effect.fnUntraced(function* (closed: string | undefined, patienceMs: number) {
  const accounts = yield* ExchangeAccounts
  const wallets = yield* Wallets
  const halts = yield* Halts
  const bots = yield* Bots
  const neighbours = yield* SharedAccount.make

  const accountOf = Effect.fnUntraced(function* (strategy: Strategy, terms: ArmedTerms) {
    const found = yield* Effect.catchTag(
      accounts.get(strategy.account, terms.account),
      "ExchangeAccountNotFound",
      ({ message }) => refused("unknown_exchange_account", message, "account")
    )
    yield* tradesAt(found, strategy)
    return found
  })

  const atRest = Effect.fnUntraced(function* (strategy: Strategy) {
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
  })

  const unlocked = (terms: ArmedTerms) =>
    Effect.catchTags(accounts.unlock(terms.account), {
      ExchangeAccountNotFound: ({ message }) => refused("unknown_exchange_account", message, "account"),
      VaultLocked: ({ message }) => unavailable(message)
    })

  const walletOf = Effect.fnUntraced(function* ({ account, credentials }: SharedAccount.Unlocked) {
    const wallet = yield* Effect.catchTag(
      wallets.check(account.exchange, account.sandbox, credentials),
      "WalletUnavailable",
      ({ message }) => unavailable(message)
    )
    if (Option.contains(wallet.canWithdraw, true))
      return yield* refused(
        "may_withdraw",
        "the key may withdraw: take that right from it at the exchange",
        "account"
      )
    if (Option.contains(wallet.canTrade, false))
      return yield* unavailable("the key may not trade: give it that right at the exchange")
    return wallet
  })

  /** Checks that the capital is there, and that no other strategy counts on it. */
  const funded = Effect.fnUntraced(function* (
    strategy: Strategy,
    { capital }: ArmedTerms,
    keys: SharedAccount.Unlocked,
    wallet: Wallet & Rights
  ) {
    const { quote } = strategy.settings
    const held = Option.getOrUndefined(balanceOf(wallet, quote))
    if (held === undefined)
      return yield* unavailable("the exchange reported only a part of the account: try again in a moment")
    const shared = yield* neighbours(strategy, keys, wallet.identity)
    const free = Decimal.subtract(held.free, shared.promised)
    if (Decimal.lessThan(free, capital))
      return yield* refused(
        "balance_too_small",
        `the account has ${Decimal.toText(Decimal.max(free, Decimal.zero))} ${quote} that no other strategy counts on, and the capital is ${Decimal.toText(capital)}`,
        "capital"
      )
    return shared
  })

  /** Returns the statement to agree to, warnings, and other accounts that are known to be this one. */
  const examine = Effect.fnUntraced(function* (strategy: Strategy, terms: ArmedTerms) {
    if (closed !== undefined) return yield* unavailable(closed)
    const error = Terms.errorOf(terms)
    if (error !== undefined) return yield* refused("bad_terms", error.message, error.field)
    const account = yield* accountOf(strategy, terms)
    yield* atRest(strategy)
    const keys = yield* unlocked(terms)
    const wallet = yield* walletOf(keys)
    const { rivals, twins } = yield* funded(strategy, terms, keys, wallet)
    const isHalted = Option.isSome(bindingOn(yield* halts.all, strategy.account))
    const warnings = Terms.warnings(strategy, account, terms, { isHalted, rivals })
    return { statement: Terms.statement(strategy, account, terms), warnings, twins }
  })

  return (strategy: Strategy, terms: ArmedTerms) =>
    Effect.timeoutFail(examine(strategy, terms), {
      duration: patienceMs,
      onTimeout: () => {
        const detail = `the exchange did not report the account's balances within ${patienceMs / 1000} seconds: try again`
        return new ArmingRefused({ reason: "account_unavailable", detail, field: "account" })
      }
    })
})

const tradesAt = ({ exchange }: ExchangeAccount, { settings }: Strategy) => {
  const elsewhere = settings.exchanges.find((listed) => listed.exchange !== exchange)
  if (elsewhere === undefined) return Effect.void
  return refused(
    "exchange_not_listed",
    `the account is at ${exchange}, and the strategy trades on ${elsewhere.exchange}: an armed strategy trades on one exchange alone`,
    "account"
  )
}

/** Fails with a refusal; `field` is the term that it is about. */
export const refused = (
  reason: ArmingRefused["reason"],
  detail: string,
  field?: Exclude<ArmingRefused["field"], undefined>
) => Effect.fail(new ArmingRefused({ reason, detail, ...(field === undefined ? {} : { field }) }))

const unavailable = (detail: string) => refused("account_unavailable", detail, "account")
