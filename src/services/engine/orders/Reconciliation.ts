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
interface Pile {
  readonly account: ExchangeAccountId
  readonly name: string
  readonly step: Decimal.Decimal
  sum: Decimal.Decimal
  isMoving: boolean
  readonly holders: Array<{ readonly bot: BotEntry; readonly market: MarketId }>
}

/** Makes the comparison; run it every `LOOK_MS`. */
export const make = Effect.fnUntraced(function* (engineState: EngineState, turn: Turn) {
  const wallets = yield* Effect.serviceOption(Wallets)
  const orders = yield* Effect.serviceOption(Orders)
  /** Piles that were too small at the last answer. */
  const missed = new Set<string>()
  /** Accounts that are being asked, and those that were asked before. */
  const busy = new Set<ExchangeAccountId>()
  const met = new Set<ExchangeAccountId>()
  const scope = yield* Effect.scope

  /** The amount at the exchange; `None` if it is unknown, and then nothing counts as missing. */
  const there = (pile: Pile, wallet: Wallet) => {
    const [first] = pile.holders
    if (first === undefined || first.market.kind === "spot")
      return Effect.succeed(Option.map(balanceOf(wallet, pile.name), ({ total }) => total))
    return Option.match(wallets, {
      onNone: () => Effect.succeedSome(pile.sum),
      onSome: ({ contracts }) => Effect.option(contracts(pile.account, first.market))
    })
  }

  /**
   * The amount that fees took from a coin in which the exchange charges them: nobody sold it, and exits sell what is
   * left. Zero once too little is left to sell.
   */
  const fees = Effect.fnUntraced(function* ({ account, holders, name, step }: Pile, found: Decimal.Decimal) {
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

  const look = Effect.gen(function* () {
    if (Option.isNone(wallets)) return
    const piles = pilesOf(engineState, yield* engineState.catalogue)
    for (const key of missed) if (!piles.has(key)) missed.delete(key)
    const held = [...piles.values()].filter(({ holders }) => holders.length > 0)
    const accounts = new Set(held.map(({ account }) => account))
    const { of } = wallets.value
    // A slow exchange delays neither other accounts nor the next comparison.
    for (const account of accounts) {
      if (busy.has(account)) continue
      busy.add(account)
      yield* compare(account, of(account), piles).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.logError(`the balances of exchange account ${account} could not be compared`, defect)
        ),
        Effect.ensuring(Effect.sync(() => busy.delete(account))),
        Effect.forkIn(scope)
      )
    }
  })

  const compare = Effect.fnUntraced(function* <E>(
    account: ExchangeAccountId,
    asked: Effect.Effect<Wallet, E>,
    piles: ReadonlyMap<string, Pile>
  ) {
    const isFirst = !met.has(account)
    met.add(account)
    const wallet = yield* Effect.option(asked)
    if (Option.isNone(wallet)) {
      if (isFirst) yield* Effect.logWarning(`exchange account ${account} does not report its balances yet`)
      return
    }
    for (const [key, pile] of piles) {
      if (pile.account !== account) continue
      if (pile.isMoving) {
        missed.delete(key)
        continue
      }
      const found = yield* there(pile, wallet.value)
      if (Option.isNone(found)) continue
      if (isFirst && pile.holders.length > 0) yield* Effect.logInfo(comparison(pile, found.value))
      const isShort =
        isShortOf(pile, found.value) &&
        isShortOf(pile, Decimal.add(found.value, yield* fees(pile, found.value)))
      const isSecond = missed.has(key)
      if (isShort) missed.add(key)
      else missed.delete(key)
      if (isShort && !isSecond) continue
      yield* turn(tell(key, pile, isShort))
    }
  })

  /**
   * Applies the result only if the books are unchanged since the exchange was asked; else the next comparison decides.
   */
  const tell = (key: string, pile: Pile, isShort: boolean) =>
    Effect.gen(function* () {
      const now = pilesOf(engineState, yield* engineState.catalogue).get(key)
      if (now === undefined || now.isMoving || !Decimal.equals(now.sum, pile.sum)) return
      const contextFor = yield* engineState.present
      for (const { bot, market } of now.holders) {
        const isKnown = bot.record.state.slots[marketKey(market)]?.astray !== undefined
        if (isKnown === isShort) continue
        engineState.engine.faults.safely(bot, () =>
          engineState.engine.adoption.tell(
            bot,
            { _tag: isShort ? "Astray" : "Found", market },
            contextFor(bot)
          )
        )
      }
      yield* engineState.settle()
    })

  return look
})

const comparison = ({ account, name, sum }: Pile, found: Decimal.Decimal): string =>
  `exchange account ${account}, ${name}: ${Decimal.toText(sum)} by the books, ${Decimal.toText(found)} at the exchange`

/** Whether at least one amount step is missing; for a short, whether the short is smaller than in the books. */
const isShortOf = ({ step, sum }: Pile, found: Decimal.Decimal): boolean => {
  const missing = Decimal.isNegative(sum) ? Decimal.subtract(found, sum) : Decimal.subtract(sum, found)
  return Decimal.isPositive(missing) && Decimal.greaterThanOrEqualTo(missing, step)
}

const pilesOf = (
  engineState: EngineState,
  catalogue: Effect.Effect.Success<EngineState["catalogue"]>
): Map<string, Pile> => {
  const piles = new Map<string, Pile>()
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
      const pile: Pile = piles.get(key) ?? {
        account: live.account,
        name,
        step,
        sum: Decimal.zero,
        isMoving: false,
        holders: []
      }
      piles.set(key, pile)
      if (order !== undefined || stopEnding === true) pile.isMoving = true
      if (position === undefined) continue
      const { quantity, side } = position
      pile.sum = Decimal.add(pile.sum, side === "long" ? quantity : Decimal.negate(quantity))
      pile.holders.push({ bot, market })
    }
  }
  return piles
}
