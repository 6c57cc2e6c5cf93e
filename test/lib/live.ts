// Trading with real money by script: exchange accounts, wallets, and an arming that responds by the terms it gets.
// The real arming is tested with the engine.
import { Effect, Layer, Option, Redacted } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import type { Armed } from "../../src/domain/Arming.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { StrategyId } from "../../src/domain/StrategyId.ts"
import { Arming, ArmingRefused, type TradingMode } from "../../src/services/Arming.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { ExchangeDesk } from "../../src/services/money/ExchangeDesk.ts"
import { Halts } from "../../src/services/money/Halts.ts"
import { Orders } from "../../src/services/money/Orders.ts"
import { Wallets, WalletUnavailable } from "../../src/services/money/Wallets.ts"
import { Portfolio } from "../../src/services/Portfolio.ts"
import { MemoryState } from "../../src/services/records/MemoryState.ts"
import { StrategyStore } from "../../src/services/StrategyStore.ts"
import { bot, fill, order } from "../../src/testing/contracts/steps.ts"

/** These must never appear in a response. */
export const KEYS = ["api-key-of-ann", "secret-of-ann"]
const [apiKey = "", secret = ""] = KEYS
const credentials = { apiKey: Redacted.make(apiKey), secret: Redacted.make(secret) }
const at = (exchange: "binance" | "okx" | "kraken" | "bybit", name: string, sandbox = false) => ({
  name,
  exchange,
  sandbox,
  credentials
})

/** Ann has accounts 1 (main), 2 (sand) and 4 (old); 3 is Bob's; Ann's 5 is removed. */
const accounts = Layer.effect(
  ExchangeAccounts,
  Effect.gen(function* () {
    const kept = yield* ExchangeAccounts
    const [ann, bob] = [AccountId.make(1), AccountId.make(2)]
    yield* kept.add(ann, at("binance", "main"))
    yield* kept.add(ann, at("okx", "sand", true))
    yield* kept.add(bob, at("kraken", "his"))
    yield* kept.add(ann, at("bybit", "old"))
    const { id } = yield* kept.add(ann, at("binance", "gone"))
    yield* kept.remove(ann, id)
    return kept
  }).pipe(Effect.orDie)
).pipe(Layer.provide(ExchangeAccounts.layerMemory))

const silent = new WalletUnavailable({ reason: "okx did not answer" })
const wallet = { balances: new Map(), isWhole: true, skewMs: 0 }
const wallets = Layer.succeed(Wallets, {
  check: (exchange) =>
    exchange === "okx"
      ? Effect.fail(silent)
      : Effect.succeed({
          ...wallet,
          canTrade: Option.some(exchange !== "kraken"),
          canWithdraw: Option.some(exchange === "bybit")
        }),
  of: () => Effect.succeed(wallet),
  contracts: () => Effect.succeed(Decimal.zero)
})

type Reason = ArmingRefused["reason"]
type Field = Exclude<ArmingRefused["field"], undefined>
/** The rejections, by the capital asked for. */
export const REFUSED: Readonly<Record<string, readonly [Reason, string, Field?]>> = {
  "409.1": ["not_flat", "close what is open first"],
  "409.2": ["armed_already", "disarm it first"],
  "409.3": ["busy", "an order is under way"],
  "422.1": ["unknown_exchange_account", "there is no such exchange account", "account"],
  "422.2": ["exchange_not_listed", "the strategy does not trade there", "account"],
  "422.3": ["may_withdraw", "the key may withdraw", "account"],
  "422.4": ["account_unavailable", "the exchange did not answer: try again", "account"],
  "422.5": ["balance_too_small", "there are 3 USDT", "capital"],
  "422.6": ["bad_terms", "max_order is larger than the capital", "max_order"],
  "422.7": ["bad_terms", "the capital is less than an order takes", "capital"]
}
const refused = (reason: Reason, detail: string, field?: Field) =>
  Effect.fail(new ArmingRefused({ reason, detail, ...(field === undefined ? {} : { field }) }))

/** The state from the first period on. */
const arming = Layer.effect(
  Arming,
  Effect.gen(function* () {
    const store = yield* StrategyStore
    const portfolio = yield* Portfolio
    const known = yield* ExchangeAccounts
    const armed = new Map<number, Armed>()
    const agreed = new Set<string>()

    const mode = Effect.fnUntraced(function* (account: AccountId, id: number) {
      yield* store.get(account, id)
      const live = armed.get(id)
      if (live === undefined) return { mode: "paper", astray: [] } satisfies TradingMode
      const found = yield* Effect.option(known.get(account, live.account))
      return {
        mode: live.leaving === true ? "leaving" : "live",
        armed: live,
        ...(Option.isNone(found) ? {} : { exchangeAccount: found.value }),
        lostToday: Decimal.unsafeFromText("-1.123456789"),
        astray: ["binance BTC/USDT spot"]
      } satisfies TradingMode
    })
    const keep = Effect.fnUntraced(function* (account: AccountId, id: number, live: Armed) {
      armed.set(id, live)
      const strategy = StrategyId.make(id)
      const nothing = {
        orders: [],
        statuses: [],
        fills: [],
        postings: [],
        trades: [],
        notes: [],
        outcomes: []
      }
      yield* portfolio.commit([
        { account, at: 1_000, bot: bot(strategy, 1, { live }), ...nothing, waits: [] }
      ])
      return yield* mode(account, id)
    })

    return Arming.of({
      mode,
      propose: Effect.fnUntraced(function* (account, id, { capital }) {
        yield* store.get(account, id)
        const refusal = REFUSED[Decimal.toText(capital)]
        if (refusal !== undefined) return yield* refused(...refusal)
        const confirmation = `agreed-${agreed.size}`
        agreed.add(confirmation)
        const statement = `with ${Decimal.toText(capital)} USDT`
        return { confirmation, expiresAt: 1_767_571_200_999, statement, warnings: ["mind the fees"] }
      }),
      arm: Effect.fnUntraced(function* (account, id, terms, confirmation) {
        if (!agreed.delete(confirmation))
          return yield* refused("confirmation_needed", "ask for it again", "confirmation")
        return yield* keep(account, id, { ...terms, tag: "secret-tag", since: 1_767_571_200_999 })
      }),
      disarm: Effect.fnUntraced(function* (account, id, { close, forget }) {
        const live = armed.get(id)
        if (live === undefined) return yield* refused("not_armed", "it is on paper already")
        if (!close && !forget) return yield* keep(account, id, { ...live, leaving: true })
        armed.delete(id)
        return yield* mode(account, id)
      })
    })
  })
)

/** Strategy 1 has three orders: a filled one on paper, a partly filled live one, and a resting one. */
const trading = Layer.effectDiscard(
  Effect.map(MemoryState, ({ fills, orders }) => {
    const strategy = StrategyId.make(1)
    const live = { account: ExchangeAccountId.make(1), tag: "00112233aabbccdd" }
    const rows = [
      { strategy, order: order("1-1-0"), status: "filled" },
      { strategy, order: { ...order("1-2-0"), live }, status: "partly_filled" },
      {
        strategy,
        order: { ...order("1-3-0"), live, type: "stop", side: "sell", purpose: "exit", price: 58_000 },
        status: "accepted"
      }
    ] as const
    for (const row of rows) orders.set(row.order.id, row)
    const { paid: _, ...inQuote } = fill("1-1-0", 1_767_571_200_999)
    fills.push({ strategy, fill: inQuote }, { strategy, fill: fill("1-2-0", 1_767_571_201_000) })
  })
)

/** Everything that the routes of group `live` need. */
export const live = ExchangeDesk.layer.pipe(
  Layer.provideMerge(arming),
  Layer.provideMerge(Layer.mergeAll(accounts, wallets, Halts.layerMemory, Orders.layerMemory, trading))
)
