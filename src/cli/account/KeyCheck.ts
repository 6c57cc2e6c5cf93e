// Asks an exchange what an account's keys may do and what the account holds, and reports it.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { Credentials } from "../../domain/ExchangeAccount.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import { errorOf } from "../../services/internal/KeyViolations.ts"
import { type Rights, type Wallet, Wallets } from "../../services/money/Wallets.ts"
import { AccountFailed } from "./Reach.ts"

/** Above this difference of clocks exchanges reject requests. */
const SKEW_MS = 1000
const MOST_ASSETS = 10

/** Asks the exchange; fails only if it cannot be asked. */
export const ask = Effect.fnUntraced(function* (
  exchange: KnownExchange,
  sandbox: boolean,
  credentials: Credentials
) {
  const { check } = yield* Wallets
  return yield* Effect.mapError(
    check(exchange, sandbox, credentials),
    ({ reason }) => new AccountFailed({ message: `${exchange}: ${reason}` })
  )
})

/** The same, but fails on any problem with the keys. */
export const demand = Effect.fnUntraced(function* (
  exchange: KnownExchange,
  sandbox: boolean,
  credentials: Credentials
) {
  const found = yield* ask(exchange, sandbox, credentials)
  const error = errorOf(exchange, found)
  return error === undefined ? found : yield* new AccountFailed({ message: error })
})

/** The findings as text. */
export const words = ({ balances, canTrade, canWithdraw, isWhole, skewMs }: Wallet & Rights): string => {
  const right = (verb: string, isAllowed: Option.Option<boolean>) =>
    Option.match(isAllowed, {
      onNone: () => `whether it may ${verb} cannot be found out at this exchange`,
      onSome: (may) => `it ${may ? "may" : "may not"} ${verb}`
    })
  const held = heldOf(balances)
  const shown = held.slice(0, MOST_ASSETS).map(([asset, { total }]) => `${Decimal.toText(total)} ${asset}`)
  const more = held.length > MOST_ASSETS ? ` and ${held.length - MOST_ASSETS} more` : ""
  const late =
    Math.abs(skewMs) < SKEW_MS
      ? ""
      : `\nThe exchange's clock is ${Math.abs(skewMs)} ms ${skewMs > 0 ? "ahead of" : "behind"} this machine's: requests correct for it, but the clock should be set.`
  const part = isWhole ? "" : " The exchange showed only a part of it."
  return `The keys work: ${right("trade", canTrade)}, ${right("withdraw", canWithdraw)}.\n${
    held.length === 0 && isWhole
      ? "The account holds nothing."
      : `The account holds ${shown.join(", ")}${more}.${part}`
  }${late}`
}

/** The findings as JSON. */
export const document = ({ balances, canTrade, canWithdraw, skewMs }: Wallet & Rights) => ({
  may_trade: Option.getOrNull(canTrade),
  may_withdraw: Option.getOrNull(canWithdraw),
  clock_ahead_ms: skewMs,
  balances: heldOf(balances).map(([asset, { free, total }]) => ({
    asset,
    free: Decimal.toNumber(free),
    total: Decimal.toNumber(total)
  }))
})

const heldOf = (balances: Wallet["balances"]) =>
  [...balances].filter(([, { total }]) => !Decimal.isZero(total)).sort(([a], [b]) => (a < b ? -1 : 1))
