// Exchange accounts, trading modes, halts and orders as the contract shows them.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import type { ExchangeAccountView, HaltView, ModeView, OrderView } from "../../api/RealMoney.ts"
import type { AccountId } from "../../domain/Account.ts"
import type { Destination } from "../../domain/Arming.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeAccount } from "../../domain/ExchangeAccount.ts"
import type { Halt } from "../../domain/Halt.ts"
import { quoteOf } from "../../domain/Market.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import type { Proposal, TradingMode } from "../../services/Arming.ts"
import { Digest } from "../../services/internal/Digest.ts"
import { bindingOn } from "../../services/money/Halts.ts"
import type { OrderRecord } from "../../services/money/Orders.ts"
import { money, seconds } from "./Figures.ts"

export const accountView = (
  { checkedAt, createdAt, exchange, id, name, problem, sandbox }: ExchangeAccount,
  strategies: ReadonlyArray<StrategyId>
): ExchangeAccountView => ({
  id,
  name,
  exchange,
  sandbox,
  created_at: createdAt,
  checked_at: Option.getOrNull(checkedAt),
  problem: Option.getOrNull(problem),
  strategies
})

export const modeView = (
  { armed, astray, exchangeAccount, lostToday, mode }: TradingMode,
  proposal?: Proposal
): ModeView => ({
  mode,
  armed:
    armed === undefined
      ? null
      : {
          account: armed.account,
          account_name: exchangeAccount?.name ?? null,
          exchange: exchangeAccount?.exchange ?? null,
          sandbox: exchangeAccount?.sandbox ?? false,
          capital: money(armed.capital),
          max_order: money(armed.maxOrder),
          max_daily_loss: money(armed.maxDailyLoss),
          protective_stop: armed.protect,
          armed_at: seconds(armed.since),
          lost_today: lostToday === undefined ? null : money(lostToday),
          stopped_today: armed.day?.tripped === true
        },
  astray,
  confirmation:
    proposal === undefined
      ? null
      : {
          token: proposal.confirmation,
          expires_at: seconds(proposal.expiresAt),
          statement: proposal.statement,
          warnings: proposal.warnings
        }
})

/** The halt that binds an account. */
export const haltView = (halts: ReadonlyArray<Halt>, account: AccountId): HaltView =>
  Option.match(bindingOn(halts, account), {
    onNone: () => ({ halted: false, everybody: false, since: null, cause: null, text: null }),
    onSome: ({ account, at, cause, text }) => ({
      halted: true,
      everybody: Option.isNone(account),
      since: seconds(at),
      cause,
      text
    })
  })

export const orderView = Effect.fnUntraced(function* ({ fills, order, sequence, status }: OrderRecord) {
  const { alert, at, exchange, id, kind, live, pair, price, purpose, quantity, side, type } = order
  const view: OrderView = {
    id,
    sequence,
    exchange,
    pair,
    kind,
    side,
    type,
    purpose,
    alert_id: purpose === "entry" ? (alert ?? null) : null,
    live: live !== undefined,
    client_id: live === undefined ? null : yield* clientId(live, id),
    quantity: Decimal.toNumber(quantity),
    price,
    status,
    filled: Decimal.toNumber(Decimal.sum(fills.map((fill) => fill.quantity))),
    at: seconds(at),
    fills: fills.map((fill) => ({
      id: fill.id,
      at: seconds(fill.at),
      quantity: Decimal.toNumber(fill.quantity),
      price: fill.price,
      fee: money(fill.fee),
      fee_asset: fill.paid?.asset ?? quoteOf(fill.pair),
      fee_amount: Decimal.toNumber(fill.paid?.amount ?? fill.fee)
    }))
  }
  return view
})

/** The order's id at the exchange: derived exactly as the adapter does. */
const clientId = ({ tag }: Destination, order: string) =>
  Effect.map(Digest, (digest) =>
    Encoding.encodeHex(Either.getOrThrow(Encoding.decodeBase64Url(digest(`${tag}:${order}`))).subarray(0, 16))
  )
