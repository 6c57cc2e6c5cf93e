// Compares the positions of live bots with the balances at the exchange. Where an exchange twice in a row has less than
// the books say, and no order was under way, somebody else has sold it: the bots stop on that market. Nothing is ever
// bought to make up for it.

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { EXCHANGE_FACTS } from "../../../domain/internal/ExchangeFacts.ts"
import { baseOf, type MarketId, marketKey } from "../../../domain/Market.ts"
import { Orders } from "../../money/Orders.ts"
import { balanceOf, type Wallet, Wallets } from "../../money/Wallets.ts"
import type { EngineState } from "../EngineState.ts"
import type { BotEntry } from "../Roster.ts"
import type { Turn } from "../Turns.ts"
import { takenSince } from "./FeeCoins.ts"

/** How often exchanges are asked for balances (ms): a coin that was sold by hand is noticed within a minute. */
export const LOOK_MS = 20_000

/**
 * The bots' positions in one asset or perpetual on one exchange account: their sum (negative for a short), and whether
 * an order is under way.
 */
interface Holding {
  readonly account: ExchangeAccountId
  readonly name: string
  readonly step: Decimal.Decimal
  sum: Decimal.Decimal
  isMoving: boolean
  readonly holders: Array<{ readonly bot: BotEntry; readonly market: MarketId }>
}

/** Makes the comparison; run it every `LOOK_MS`. It returns whether there was anything to compare. */
export const make = Effect.fnUntraced(function* (engineState: EngineState, turn: Turn) {
  const wallets = yield* Effect.serviceOption(Wallets)
  const orders = yield* Effect.serviceOption(Orders)
  /** Holdings that were too small at the last answer. */
  const missed = new Set<string>()
  /** Accounts that are being asked, and those that were asked before. */
  const busy = new Set<ExchangeAccountId>()
  const met = new Set<ExchangeAccountId>()
  const scope = yield* Effect.scope

  /** The amount at the exchange; `None` if it is unknown, and then nothing counts as missing. */
  const amountAt = (holding: Holding, wallet: Wallet) => {
    const [first] = holding.holders
    if (first === undefined || first.market.kind === "spot")
      return Effect.succeed(Option.map(balanceOf(wallet, holding.name), ({ total }) => total))
    return Option.match(wallets, {
      onNone: () => Effect.succeedSome(holding.sum),
      onSome: ({ contracts }) => Effect.option(contracts(holding.account, first.market))
    })
  }

  /**
   * The amount that fees took from a coin in which the exchange charges them: nobody sold it, and exits sell what is
   * left. Zero once too little is left to sell.
   */
  const fees = Effect.fnUntraced(function* (
    { account, holders, name, step }: Holding,
    found: Decimal.Decimal
  ) {
    const [first] = holders
    if (first === undefined || Option.isNone(orders) || Decimal.lessThan(found, step)) return Decimal.zero
    if (first.market.kind !== "spot" || EXCHANGE_FACTS[first.market.exchange].feeCoin !== name)
      return Decimal.zero
    const payers = [...engineState.roster.all()].filter(
      ({ record }) => record.state.live?.account === account
    )
    const opened = holders.map(
      ({ bot, market }) => bot.record.state.slots[marketKey(market)]?.position?.openedAt
    )
    const since = Math.min(...opened.map((at) => at ?? Number.POSITIVE_INFINITY))
    const strategies = payers.map(({ strategy }) => strategy.id)
    return yield* takenSince(orders.value, strategies, { account, coin: name, since })
  })

  const reconcile = Effect.gen(function* () {
    if (Option.isNone(wallets)) return false
    const holdings = holdingsOf(engineState, yield* engineState.catalogue)
    for (const key of missed) if (!holdings.has(key)) missed.delete(key)
    const held = [...holdings.values()].filter(({ holders }) => holders.length > 0)
    const accounts = new Set(held.map(({ account }) => account))
    const { of } = wallets.value
    // A slow exchange delays neither other accounts nor the next comparison.
    for (const account of accounts) {
      if (busy.has(account)) continue
      busy.add(account)
      yield* compare(account, of(account), holdings).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError(`the balances of exchange account ${account} could not be compared`, defect)
        ),
        Effect.ensuring(Effect.sync(() => busy.delete(account))),
        Effect.forkIn(scope)
      )
    }
    return held.length > 0
  })

  const compare = Effect.fnUntraced(function* <E>(
    account: ExchangeAccountId,
    request: Effect.Effect<Wallet, E>,
    holdings: ReadonlyMap<string, Holding>
  ) {
    const isFirst = !met.has(account)
    met.add(account)
    const wallet = yield* Effect.option(request)
    if (Option.isNone(wallet)) {
      if (isFirst) yield* Effect.logWarning(`exchange account ${account} does not report its balances yet`)
      return
    }
    for (const [key, holding] of holdings) {
      if (holding.account !== account) continue
      if (holding.isMoving) {
        missed.delete(key)
        continue
      }
      const found = yield* amountAt(holding, wallet.value)
      if (Option.isNone(found)) continue
      if (isFirst && holding.holders.length > 0) yield* Effect.logInfo(comparison(holding, found.value))
      const isShort =
        isShortOf(holding, found.value) &&
        isShortOf(holding, Decimal.add(found.value, yield* fees(holding, found.value)))
      const isSecond = missed.has(key)
      if (isShort) missed.add(key)
      else missed.delete(key)
      if (isShort && !isSecond) continue
      yield* turn(applyResult(key, holding, isShort))
    }
  })

  /**
   * Applies the result only if the books are unchanged since the exchange was asked; else the next comparison decides.
   */
  const applyResult = (key: string, holding: Holding, isShort: boolean) =>
    Effect.gen(function* () {
      const now = holdingsOf(engineState, yield* engineState.catalogue).get(key)
      if (now === undefined || now.isMoving || !Decimal.equals(now.sum, holding.sum)) return
      const contextFor = yield* engineState.present
      for (const { bot, market } of now.holders) {
        const isKnown = bot.record.state.slots[marketKey(market)]?.astray !== undefined
        if (isKnown === isShort) continue
        engineState.engine.faults.attempt(bot, () =>
          engineState.engine.adoption.handle(
            bot,
            { _tag: isShort ? "Astray" : "Found", market },
            contextFor(bot)
          )
        )
      }
      yield* engineState.settle()
    })

  return reconcile
})

const comparison = ({ account, name, sum }: Holding, found: Decimal.Decimal): string =>
  `exchange account ${account}, ${name}: ${Decimal.toText(sum)} by the books, ${Decimal.toText(found)} at the exchange`

/** Whether at least one amount step is missing; for a short, whether the short is smaller than in the books. */
const isShortOf = ({ step, sum }: Holding, found: Decimal.Decimal): boolean => {
  const missing = Decimal.isNegative(sum) ? Decimal.subtract(found, sum) : Decimal.subtract(sum, found)
  return Decimal.isPositive(missing) && Decimal.greaterThanOrEqualTo(missing, step)
}

const holdingsOf = (
  engineState: EngineState,
  catalogue: Effect.Effect.Success<EngineState["catalogue"]>
): Map<string, Holding> => {
  const holdings = new Map<string, Holding>()
  for (const bot of engineState.roster.all()) {
    const { live, slots } = bot.record.state
    if (live === undefined) continue
    for (const { exchange, kind, order, pair, position, stopEnding } of Object.values(slots)) {
      const market = { exchange, pair, kind }
      const name = kind === "spot" ? baseOf(pair) : marketKey(market)
      const key = `${live.account} ${name}`
      const step = Option.match(catalogue.market(market), {
        onNone: () => Decimal.zero,
        onSome: ({ amountStep }) => amountStep
      })
      const holding: Holding = holdings.get(key) ?? {
        account: live.account,
        name,
        step,
        sum: Decimal.zero,
        isMoving: false,
        holders: []
      }
      holdings.set(key, holding)
      if (order !== undefined || stopEnding === true) holding.isMoving = true
      if (position === undefined) continue
      const { quantity, side } = position
      holding.sum = Decimal.add(holding.sum, side === "long" ? quantity : Decimal.negate(quantity))
      holding.holders.push({ bot, market })
    }
  }
  return holdings
}
