// The exchange accounts of a simulated world and what they hold, including coins that somebody moved by hand.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { AccountId, Identity } from "../../src/domain/Account.ts"
import { ExchangeAccountId } from "../../src/domain/Arming.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { type ExchangeAccount, ExchangeAccountNotFound } from "../../src/domain/ExchangeAccount.ts"
import { baseOf, type MarketId, marketKey } from "../../src/domain/Market.ts"
import { ExchangeAccounts } from "../../src/services/ExchangeAccounts.ts"
import { type Balance, Wallets, WalletUnavailable } from "../../src/services/money/Wallets.ts"
import { PLACES } from "./Pace.ts"
import type { World } from "./World.ts"

/** The most coins on one page of the exchange's response. */
export const PAGE = 250
/** Dust beside the bots' coins, more than one page holds. */
const DUST = Array.from({ length: 2 * PAGE }, (_, index) => `DUST${index}`)

/** Balances never limit the bots here: their armed capital does. */
const KEY = Redacted.make("nobody's")
const QUOTE = Decimal.unsafeFromText("1000000000")

/** How long coins were missing (ms). */
export interface Taken {
  readonly from: number
  until: number
}

/** Coins that no bot bought; negative if somebody took some. */
export class ByHand {
  readonly #moved = new Map<string, Decimal.Decimal>()
  readonly #taken = new Map<string, Array<Taken>>()

  take(account: number, asset: string, amount: Decimal.Decimal, at: number): void {
    const key = `${account} ${asset}`
    const taken = this.#taken.get(key) ?? []
    if (!this.#moved.has(key)) this.#taken.set(key, [...taken, { from: at, until: Number.POSITIVE_INFINITY }])
    this.#moved.set(key, Decimal.subtract(this.of(account, asset), amount))
  }

  /** Returns everything that was taken. */
  restore(at: number): void {
    for (const taken of [...this.#taken.values()].flat()) taken.until = Math.min(taken.until, at)
    this.#moved.clear()
  }

  takenAt(account: number, asset: string): ReadonlyArray<Taken> {
    return this.#taken.get(`${account} ${asset}`) ?? []
  }

  of(account: number, asset: string): Decimal.Decimal {
    return this.#moved.get(`${account} ${asset}`) ?? Decimal.zero
  }
}

/** Each person has one exchange account, with the person's number. */
export const accountsOf = (people: ReadonlyArray<Identity>): Layer.Layer<ExchangeAccounts> => {
  const all = people.map(
    ({ account }): ExchangeAccount => ({
      ...{ id: ExchangeAccountId.make(account), account, name: "desk", exchange: "binance", sandbox: false },
      ...{ createdAt: 0, checkedAt: Option.none(), problem: Option.none() }
    })
  )
  const find = (owner: AccountId, id: number) => {
    const found = all.find((each) => each.account === owner && each.id === id)
    return found === undefined ? Effect.fail(new ExchangeAccountNotFound()) : Effect.succeed(found)
  }
  return Layer.succeed(ExchangeAccounts, {
    add: () => Effect.dieMessage("nobody connects here"),
    list: (owner) => Effect.succeed(all.filter((each) => each.account === owner)),
    get: find,
    rekey: () => Effect.dieMessage("nobody has other keys here"),
    remove: () => Effect.dieMessage("nobody removes here"),
    checked: () => Effect.void,
    unlock: (id) => {
      const account = all.find((each) => each.id === id)
      return account === undefined
        ? Effect.fail(new ExchangeAccountNotFound())
        : Effect.succeed({ account, credentials: { apiKey: KEY, secret: KEY } })
    }
  })
}

/** What the exchange reports for each account: the sum of its orders, and moves by hand. */
export const walletsOf = ({ byHand, chance, pace, venue }: World): Layer.Layer<Wallets> => {
  const heldIn = (account: number, matches: (market: MarketId) => boolean) =>
    Decimal.sum(
      [...venue.orders.values()]
        .flat()
        .flatMap(({ fills, ticket: { order } }) =>
          order.live?.account === account && matches(order)
            ? fills.map(({ quantity, side }) => (side === "buy" ? quantity : Decimal.negate(quantity)))
            : []
        )
    )
  const walletOf = (account: number) => {
    const balances = new Map<string, Balance>([["USDT", { free: QUOTE, total: QUOTE }]])
    for (const coin of account % 2 === 0 ? DUST : [])
      balances.set(coin, { free: Decimal.one, total: Decimal.one })
    for (const coin of ["BTC", "ETH"]) {
      const bought = heldIn(account, ({ kind, pair }) => kind === "spot" && baseOf(pair) === coin)
      const total = Decimal.add(bought, byHand.of(account, coin))
      balances.set(coin, { free: total, total })
    }
    return { balances, isWhole: true, skewMs: 0 }
  }
  /** The answer shows the state at the time of the query, and arrives later. */
  const asked = <A>(what: string, tell: () => A) =>
    Effect.suspend(() => {
      const dice = chance.of(what)
      const isLost = !venue.calm && dice.chance(0.1)
      const told = isLost
        ? Effect.fail(new WalletUnavailable({ reason: "it does not answer" }))
        : Effect.succeed(tell())
      return Effect.delay(told, pace.wait(venue.calm ? 20 : dice.whole(5, 900), PLACES.wallet))
    })
  return Layer.succeed(Wallets, {
    check: () =>
      Effect.succeed({
        ...{ balances: new Map([["USDT", { free: QUOTE, total: QUOTE }]]), isWhole: true, skewMs: 0 },
        ...{ canTrade: Option.some(true), canWithdraw: Option.some(false) }
      }),
    of: (account) => asked(`wallet of ${account}`, () => walletOf(account)),
    contracts: (account, market) =>
      asked(`contracts of ${account} ${marketKey(market)}`, () =>
        heldIn(account, (each) => marketKey(each) === marketKey(market))
      )
  })
}
