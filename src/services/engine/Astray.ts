import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeAccountId } from "../../domain/Live.ts"
import { baseOf, type MarketId, marketKey } from "../../domain/Market.ts"
import { type Wallet, Wallets } from "../Wallets.ts"
import type { Desk } from "./Desk.ts"
import type { LiveBot } from "./Roster.ts"
import type { Turn } from "./Start.ts"

/** How often exchanges are asked what there is: a coin that was sold by hand is missed twice within a minute. */
export const LOOK_MS = 20_000

/** What bots hold of one thing at one account, and whether any of it is on the move. */
interface Pile {
  readonly account: ExchangeAccountId
  readonly name: string
  readonly step: Decimal.Decimal
  sum: Decimal.Decimal
  isMoving: boolean
  readonly holders: Array<{ readonly bot: LiveBot; readonly market: MarketId }>
}

/**
 * Compares what live bots hold by their books with what the exchange says is there. Where twice in a row less is there,
 * and nothing was under way, somebody else has taken it: the bots stop there. Nothing is ever bought to make up for it.
 */
export const make = Effect.fnUntraced(function* (desk: Desk, turn: Turn) {
  const wallets = yield* Effect.serviceOption(Wallets)
  /** Piles that were found too small at the last look. */
  let missed = new Set<string>()

  const there = (pile: Pile, wallet: Wallet) => {
    const [first] = pile.holders
    return first === undefined || first.market.kind === "spot"
      ? Effect.succeed(wallet.balances.get(pile.name)?.total ?? Decimal.zero)
      : Option.match(wallets, {
          onNone: () => Effect.succeed(pile.sum),
          onSome: ({ contracts }) =>
            Effect.map(contracts(pile.account, first.market), (held) =>
              Decimal.max(held, Decimal.negate(held))
            )
        })
  }

  const look = Effect.gen(function* () {
    if (Option.isNone(wallets)) return
    const piles = pilesOf(desk, yield* desk.catalogue)
    const short = new Set<string>()
    for (const account of new Set([...piles.values()].map((pile) => pile.account))) {
      const wallet = yield* Effect.option(wallets.value.of(account))
      if (Option.isNone(wallet)) continue
      for (const [key, pile] of piles) {
        if (pile.account !== account || pile.isMoving) continue
        const found = yield* Effect.option(there(pile, wallet.value))
        if (Option.isNone(found)) continue
        const isShort = Decimal.greaterThanOrEqualTo(Decimal.subtract(pile.sum, found.value), pile.step)
        if (isShort) short.add(key)
        if (isShort && !missed.has(key)) continue
        yield* turn(tell(pile, isShort))
      }
    }
    missed = short
  })

  const tell = (pile: Pile, isShort: boolean) =>
    Effect.gen(function* () {
      const contextFor = yield* desk.present
      for (const { bot, market } of pile.holders) {
        const isKnown = bot.record.state.slots[marketKey(market)]?.astray !== undefined
        if (isKnown === isShort) continue
        desk.engine.safely(bot, () =>
          desk.engine.tell(bot, { _tag: isShort ? "Astray" : "Found", market }, contextFor(bot))
        )
      }
      yield* desk.settle()
    })

  return look
})

const pilesOf = (desk: Desk, catalogue: Effect.Effect.Success<Desk["catalogue"]>): Map<string, Pile> => {
  const piles = new Map<string, Pile>()
  for (const bot of desk.roster.all()) {
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
      pile.sum = Decimal.add(pile.sum, position.quantity)
      pile.holders.push({ bot, market })
    }
  }
  return piles
}
