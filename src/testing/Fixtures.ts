// One valid example of each noun. A test passes the fields that it is about; the rest has defaults.
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AccountId, type Identity, type Token, TokenId } from "../domain/Account.ts"
import { type Alert, AlertId, type Instruction, type Outcome } from "../domain/Alert.ts"
import type { BotState } from "../domain/Bot.ts"
import type { Candle } from "../domain/Candle.ts"
import { unsafeFromText as decimal, multiply, zero } from "../domain/Decimal.ts"
import type { Fill } from "../domain/Fill.ts"
import { type Market, type MarketId, Pair } from "../domain/Market.ts"
import { type Order, OrderId } from "../domain/Order.ts"
import type { Position } from "../domain/Position.ts"
import type { StrategyDraft, StrategyPatch } from "../domain/requests/StrategyDraft.ts"
import { type Signal, type SignalDraft, SignalId } from "../domain/Signal.ts"
import { type Settings, Settings as SettingsSchema, type Strategy } from "../domain/Strategy.ts"
import { StrategyId } from "../domain/StrategyId.ts"
import type { RuleDocument } from "../domain/signalRule/RuleDocument.ts"
import { ofLast, type Ticker } from "../domain/Ticker.ts"
import type { TimelineEntry, TimelineNote } from "../domain/Timeline.ts"
import type { Trade } from "../domain/Trade.ts"
import type { AlertDraft, Sameness } from "../services/Journal.ts"
import { type Fees, feesOf } from "../trading/books/Fees.ts"
import { fill as fillAtOnce } from "../trading/books/Matching.ts"

/** BTC/USDT at binance, spot. */
export const marketId = (changes: Partial<MarketId> = {}): MarketId => ({
  exchange: "binance",
  pair: Pair.make("BTC/USDT"),
  kind: "spot",
  ...changes
})

/** An open market with its steps and minimums. */
export const market = (changes: Partial<Market> = {}): Market => ({
  ...marketId(),
  active: true,
  buyEnabled: true,
  priceStep: decimal("0.01"),
  amountStep: decimal("0.00001"),
  minAmount: decimal("0.00001"),
  minCost: decimal("5"),
  ...changes
})

/** A valid token that was never used. */
export const token = (changes: Partial<Token> = {}): Token => ({
  id: TokenId.make(1),
  account: "ann",
  scope: "full",
  createdAt: 0,
  expiresAt: Option.none(),
  lastUsedAt: Option.none(),
  revokedAt: Option.none(),
  madeBy: Option.none(),
  ...changes
})

/** An identity with all rights. */
export const identity = (changes: Partial<Identity> = {}): Identity => ({
  account: AccountId.make(1),
  token: TokenId.make(1),
  scope: "full",
  ...changes
})

/** The draft of an active, private signal. */
export const signalDraft = (changes: Partial<SignalDraft> = {}): SignalDraft => ({
  name: "Trend",
  description: "",
  active: true,
  public: false,
  ...changes
})

/** An account's first signal. */
export const signal = (changes: Partial<Signal> = {}): Signal => {
  const { rule: _, ...draft } = signalDraft()
  return {
    id: SignalId.make(1),
    account: AccountId.make(1),
    ...draft,
    createdAt: 0,
    updatedAt: 0,
    ...changes
  }
}

/** A rule that buys BTC on binance where a candle closes above its open. */
export const rule = (changes: Partial<RuleDocument> = {}): RuleDocument => ({
  markets: [{ exchange: "binance", kind: "spot", pairs: [Pair.make("BTC/USDT")] }],
  timeframe: "1h",
  params: {},
  on: [{ type: "buy", when: "close > open" }],
  schedule: [],
  ...changes
})

/**
 * Settings of a simple strategy: a tenth of the balance, BTC and ETH on binance, no rules. `changes` are in the
 * encoded form, and are validated.
 */
export const settings = (changes: Partial<typeof SettingsSchema.Encoded> = {}): Settings =>
  Schema.decodeSync(SettingsSchema)({
    name: "Swing",
    description: "",
    active: true,
    public: false,
    quote: "USDT",
    defaultExchange: "binance",
    buyPercent: 10,
    signalIgnoresMinProfit: false,
    exchanges: [{ exchange: "binance", pairs: ["BTC/USDT", "ETH/USDT"] }],
    ...changes
  })

/** A new strategy: BTC and ETH on binance, a tenth of the balance, no rules. */
export const strategyRequest = (changes: StrategyPatch = {}): StrategyDraft => ({
  name: "Swing",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }],
  ...changes
})

/** An account's first strategy. */
export const strategy = (changes: Partial<Strategy> = {}): Strategy => ({
  id: StrategyId.make(1),
  account: AccountId.make(1),
  settings: settings(),
  createdAt: 0,
  updatedAt: 0,
  revision: 0,
  ...changes
})

/** An alert that buys BTC for USDT. */
export const instruction = (changes: Partial<Instruction> = {}): Instruction => ({
  signalId: SignalId.make(7),
  coin: "BTC",
  quoteCurrency: "USDT",
  type: "buy",
  tp: Option.none(),
  sl: Option.none(),
  ...changes
})

/** An alert that is about to be recorded. `same` identifies a repeat. */
export const draft = (
  { account, token }: Pick<Identity, "account" | "token">,
  changes: Partial<AlertDraft> & { readonly same?: Partial<Sameness> } = {}
): AlertDraft => {
  const { same, ...rest } = changes
  const whole = { instruction: instruction(), receivedAt: 1_000, warnings: [], account, token, ...rest }
  if (same === undefined) return whole
  return { ...whole, sameness: { key: "key", body: "body", spanMs: 20_000, onOtherBody: "warn", ...same } }
}

/** A stored alert. */
export const alert = (changes: Partial<Alert> = {}): Alert => ({
  id: AlertId.make(1),
  account: AccountId.make(1),
  token: TokenId.make(1),
  ...instruction({ signalId: SignalId.make(1) }),
  receivedAt: 1_000,
  repeats: 0,
  warnings: [],
  ...changes
})

/** The first strategy's outcome for the first alert. */
export const outcome = (changes: Partial<Outcome> = {}): Outcome => ({
  alertId: AlertId.make(1),
  strategyId: StrategyId.make(1),
  account: AccountId.make(1),
  reason: "opened",
  at: 1_000,
  ...changes
})

/** A price of 60000 with no spread. */
export const ticker = (changes: Partial<Ticker> = {}): Ticker => ({ ...ofLast(60_000, 1_000), ...changes })

/** A candle of one hour that rose a little; low and high include the given open and close. */
export const candle = (changes: Partial<Candle> = {}): Candle => {
  const { close = 60_300, open = 60_000 } = changes
  return {
    at: 0,
    open,
    close,
    high: Math.max(open, close) * 1.001,
    low: Math.min(open, close) * 0.999,
    volume: 10,
    ...changes
  }
}

/** Fees of 0.1 % for maker and taker. */
export const fees = (): Fees => {
  const percent = decimal("0.1")
  return feesOf(settings(), { makerFeePercent: percent, takerFeePercent: percent })
}

/** A market order for 0.1 BTC, decided at 60000. */
export const order = (changes: Partial<Order> = {}): Order => ({
  id: OrderId.make("1-1-0"),
  ...marketId(),
  position: "long",
  side: "buy",
  type: "market",
  quantity: decimal("0.1"),
  price: 60_000,
  purpose: "entry",
  reserved: decimal("6006"),
  alert: 1,
  at: 1_000,
  ...changes
})

/** A fill of an order's whole quantity, at its price and a fee of 0.1 %. */
export const fill = (of: Order = order(), changes: Partial<Fill> = {}): Fill => ({
  ...fillAtOnce(of, fees(), of.at),
  ...changes
})

/** The position that the order above opened. Sums follow from `quantity` unless they are given. */
export const position = (changes: Partial<Position> = {}): Position => {
  const quantity = changes.quantity ?? decimal("0.1")
  const notional = multiply(quantity, decimal("60000"))
  return {
    side: "long",
    openedBy: 1,
    openedAt: 1_000,
    lastEntryAt: 1_000,
    entries: 1,
    quantity,
    basis: notional,
    entryQuantity: quantity,
    entryNotional: notional,
    entryFees: multiply(notional, decimal("0.001")),
    exitQuantity: zero,
    exitNotional: zero,
    exitFees: zero,
    proceeds: zero,
    ...changes
  }
}

/** That position as a trade: sold at 61000 an hour later, by an alert. */
export const trade = (changes: Partial<Trade> = {}): Trade => ({
  ...marketId(),
  side: "long",
  openedAt: 1_000,
  closedAt: 3_601_000,
  entryPrice: 60_000,
  exitPrice: 61_000,
  quantity: decimal("0.1"),
  cost: decimal("6006"),
  proceeds: decimal("6093.9"),
  fees: decimal("12.1"),
  pnl: decimal("87.9"),
  profitPercent: (87.9 / 6006) * 100,
  exitReason: "signal",
  entries: 1,
  ...changes
})

/** The state of a bot with 10000 USDT and no positions. */
export const botState = (changes: Partial<BotState> = {}): BotState => ({
  quote: "USDT",
  startingBalance: decimal("10000"),
  cash: decimal("10000"),
  baseline: decimal("10000"),
  slots: {},
  ...changes
})

/** An entry to add to a timeline. */
export const timelineNote = (changes: Partial<TimelineNote> = {}): TimelineNote => ({
  at: 1_000,
  rule: "opened",
  alertId: Option.some(AlertId.make(1)),
  reason: Option.some("opened"),
  text: "Opened a long position in BTC/USDT.",
  facts: { price: "60000" },
  ...changes
})

/** An entry of the first strategy's timeline. */
export const timelineEntry = (changes: Partial<TimelineEntry> = {}): TimelineEntry => ({
  id: 1,
  strategyId: StrategyId.make(1),
  ...timelineNote(),
  ...changes
})
