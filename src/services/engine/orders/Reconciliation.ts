// Compares the positions of live bots with the balances at the exchange. Where an exchange twice in a row has less than
// the books say, no order was under way, and the exchange says that the stops still rest, somebody else has sold it: the
// bots stop on that market. Nothing is ever bought to make up for it.

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ExchangeAccountId } from "../../../domain/Arming.ts"
import * as Decimal from "../../../domain/Decimal.ts"
import { EXCHANGE_FACTS } from "../../../domain/internal/ExchangeFacts.ts"
import { isKnownExchange, marketKey } from "../../../domain/Market.ts"
import { Orders } from "../../money/Orders.ts"
import { balanceOf, type Wallet, Wallets } from "../../money/Wallets.ts"
import type { EngineState } from "../EngineState.ts"
import type { Turn } from "../Turns.ts"
import { takenSince } from "./FeeCoins.ts"
import { comparison, type Holding, type Holdings, holdingsOf, isShortOf, Shortages } from "./Holdings.ts"

/** How often exchanges are asked for balances (ms): a coin that was sold by hand is noticed within a minute. */
export const LOOK_MS = 20_000

/** Makes the comparison; run it every `LOOK_MS`. It returns whether there was anything to compare. */
export const make = Effect.fnUntraced(function* (engineState: EngineState, turn: Turn) {
  const wallets = Option.getOrUndefined(yield* Effect.serviceOption(Wallets))
  if (wallets === undefined) return Effect.succeed(false)
  const scope = yield* Effect.scope
  const shortages = new Shortages()
  const compare = yield* comparing(engineState, wallets, shortages, turn)
  /** Accounts that are being asked. */
  const busy = new Set<ExchangeAccountId>()

  return Effect.gen(function* () {
    const holdings = holdingsOf(engineState.roster.all(), yield* engineState.catalogue)
    shortages.keep(holdings)
    const held = [...holdings.values()].filter(({ holders }) => holders.length > 0)
    // A slow exchange delays neither other accounts nor the next comparison.
    for (const account of new Set(held.map(({ account }) => account))) {
      if (busy.has(account)) continue
      busy.add(account)
      yield* compare(account, holdings).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError(`the balances of exchange account ${account} could not be compared`, defect)
        ),
        Effect.ensuring(Effect.sync(() => busy.delete(account))),
        Effect.forkIn(scope)
      )
    }
    return held.length > 0
  })
})

/** Makes the comparison of one account's holdings with its balances; the first one of an account is logged. */
const comparing = Effect.fnUntraced(function* (
  engineState: EngineState,
  wallets: typeof Wallets.Service,
  shortages: Shortages,
  turn: Turn
) {
  const withoutFees = yield* feesTaken(engineState)
  const apply = applying(engineState)
  const met = new Set<ExchangeAccountId>()

  const isMissing = Effect.fnUntraced(function* (holding: Holding, found: Decimal.Decimal) {
    if (!isShortOf(holding, found)) return false
    return isShortOf(holding, Decimal.add(found, yield* withoutFees(holding, found)))
  })

  return Effect.fnUntraced(function* (account: ExchangeAccountId, holdings: Holdings) {
    const isFirst = !met.has(account)
    met.add(account)
    const wallet = yield* Effect.option(wallets.of(account))
    if (Option.isNone(wallet)) {
      if (isFirst) yield* Effect.logWarning(`exchange account ${account} does not report its balances yet`)
      return
    }
    for (const [key, holding] of holdings) {
      if (holding.account !== account) continue
      if (holding.isMoving) {
        shortages.forget(key)
        continue
      }
      const found = yield* amountAt(holding, wallet.value, wallets)
      if (Option.isNone(found)) continue
      if (isFirst && holding.holders.length > 0) yield* Effect.logInfo(comparison(holding, found.value))
      const isShort = yield* isMissing(holding, found.value)
      // A stop that rests may have been filled, and the exchange does not say so yet.
      const mayBeSold = (since: number) =>
        holding.stops.some((stop) => !engineState.orders.isAnsweredSince(stop, since))
      if (shortages.isCertain(key, isShort, yield* Clock.currentTimeMillis, mayBeSold))
        yield* turn(apply(key, holding, isShort))
    }
  })
})

/** The amount at the exchange; `None` if it is unknown, and then nothing counts as missing. */
const amountAt = (
  { account, holders, name }: Holding,
  wallet: Wallet,
  wallets: typeof Wallets.Service
): Effect.Effect<Option.Option<Decimal.Decimal>> => {
  const [first] = holders
  return first === undefined || first.market.kind === "spot"
    ? Effect.succeed(Option.map(balanceOf(wallet, name), ({ total }) => total))
    : Effect.option(wallets.contracts(account, first.market))
}

/**
 * Makes the reading of what fees took from a coin in which the exchange charges them: nobody sold that, and exits sell
 * what is left. Zero once too little is left to sell.
 */
const feesTaken = Effect.fnUntraced(function* ({ roster }: EngineState) {
  const orders = Option.getOrUndefined(yield* Effect.serviceOption(Orders))

  return Effect.fnUntraced(function* ({ account, holders, name, step }: Holding, found: Decimal.Decimal) {
    const [first] = holders
    if (first === undefined || orders === undefined || Decimal.lessThan(found, step)) return Decimal.zero
    const { exchange, kind } = first.market
    if (kind !== "spot" || !isKnownExchange(exchange) || EXCHANGE_FACTS[exchange].feeCoin !== name)
      return Decimal.zero
    const payers = [...roster.all()].filter(({ record }) => record.state.live?.account === account)
    const opened = holders.map(
      ({ bot, market }) => bot.record.state.slots[marketKey(market)]?.position?.openedAt
    )
    const since = Math.min(...opened.map((at) => at ?? Number.POSITIVE_INFINITY))
    const strategies = payers.map(({ strategy }) => strategy.id)
    return yield* takenSince(orders, strategies, { account, coin: name, since })
  })
})

/**
 * Makes the event of a result for the bots. It is applied only if the books are unchanged since the exchange was asked;
 * else the next comparison decides.
 */
const applying = ({ catalogue, engine, present, roster, settle }: EngineState) =>
  Effect.fnUntraced(function* (key: string, holding: Holding, isShort: boolean) {
    const now = holdingsOf(roster.all(), yield* catalogue).get(key)
    if (now === undefined || now.isMoving || !Decimal.equals(now.sum, holding.sum)) return
    const contextFor = yield* present
    for (const { bot, market } of now.holders) {
      const isKnown = bot.record.state.slots[marketKey(market)]?.astray !== undefined
      if (isKnown === isShort) continue
      const event = { _tag: isShort ? "Astray" : "Found", market } as const
      engine.faults.attempt(bot, () => engine.adoption.handle(bot, event, contextFor(bot)))
    }
    yield* settle()
  })
