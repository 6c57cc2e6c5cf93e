// The use case of trading with real money: propose terms, arm on exactly those, disarm. A strategy is armed only with a
// fresh confirmation of the very terms, after the exchange account was checked.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import { type Armed, type ArmedTerms, ArmingRefused } from "../domain/Arming.ts"
import type * as Decimal from "../domain/Decimal.ts"
import type { ExchangeAccount } from "../domain/ExchangeAccount.ts"
import type { Strategy, StrategyNotFound } from "../domain/Strategy.ts"
import * as Confirmations from "./arming/Confirmations.ts"
import * as Examination from "./arming/Examination.ts"
import * as KeyedMutex from "./arming/KeyedMutex.ts"
import * as Terms from "./arming/Terms.ts"
import { Bots } from "./Bots.ts"
import { ExchangeAccounts } from "./ExchangeAccounts.ts"
import { StrategyStore } from "./StrategyStore.ts"

export { ArmingRefused }

/** The statement that the owner has to agree to. `confirmation` arms on these very terms, once, within five minutes. */
export interface Proposal {
  readonly confirmation: string
  /** In ms since the epoch. */
  readonly expiresAt: number
  readonly statement: string
  readonly warnings: ReadonlyArray<string>
}

/** How a strategy trades. */
export interface TradingMode {
  readonly mode: "paper" | "live" | "leaving"
  readonly armed?: Armed
  /** Absent where the exchange account was removed. */
  readonly exchangeAccount?: ExchangeAccount
  /** The loss of the day so far, in quote; negative for a gain. Absent without prices. */
  readonly lostToday?: Decimal.Decimal
  /** Markets on which the exchange holds less than the books say: the bot has stopped there. */
  readonly astray: ReadonlyArray<string>
}

/** How long a request waits for the exchange, and for requests before it at the same exchange (ms). */
const PATIENCE_MS = 20_000

/** Arms and disarms the caller's own strategies. A use case. */
export class Arming extends Context.Tag("signalbox/services/Arming")<
  Arming,
  {
    readonly mode: (account: AccountId, strategy: number) => Effect.Effect<TradingMode, StrategyNotFound>
    /** Checks everything that arming requires, and changes nothing. */
    readonly propose: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms
    ) => Effect.Effect<Proposal, StrategyNotFound | ArmingRefused>
    /** Arms the strategy on proposed terms. */
    readonly arm: (
      account: AccountId,
      strategy: number,
      terms: ArmedTerms,
      confirmation: string
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
    /**
     * Ends trading with real money: the strategy is on paper at once where nothing is open, else once everything is
     * closed.
     */
    readonly disarm: (
      account: AccountId,
      strategy: number,
      how: { readonly close: boolean; readonly forget: boolean }
    ) => Effect.Effect<TradingMode, StrategyNotFound | ArmingRefused>
  }
>() {
  /** `closed` says why nothing may be armed on this server: replayed prices must not move real money. */
  static readonly layer = (options: { readonly closed?: string } = {}) => Layer.effect(Arming, make(options))
}

const make = Effect.fnUntraced(function* ({ closed }: { readonly closed?: string }) {
  const store = yield* StrategyStore
  const bots = yield* Bots
  const confirmations = Option.getOrElse(yield* Confirmations.SharedConfirmations, Confirmations.make)
  const examined = yield* Examination.make(closed, PATIENCE_MS)
  const inTurn = yield* makeInTurn
  const modeOf = yield* makeModeOf

  const propose = Effect.fn("Arming.propose")(function* (account: AccountId, id: number, terms: ArmedTerms) {
    const strategy = yield* store.get(account, id)
    const { statement, warnings } = yield* examined(strategy, terms)
    const now = yield* Clock.currentTimeMillis
    const { confirmation, expiresAt } = yield* confirmations.give(Terms.keyOf(account, strategy, terms), now)
    return { statement, warnings, confirmation, expiresAt }
  })

  const arm = Effect.fn("Arming.arm")(
    function* (account: AccountId, id: number, terms: ArmedTerms, confirmation: string) {
      const strategy = yield* store.get(account, id)
      const now = yield* Clock.currentTimeMillis
      if (!(yield* confirmations.take(Terms.keyOf(account, strategy, terms), confirmation, now)))
        return yield* Examination.refused("confirmation_needed", UNCONFIRMED, "confirmation")
      const { twins } = yield* examined(strategy, terms)
      yield* Effect.catchTag(bots.arm(strategy, terms, twins), "StrategyBusy", () =>
        Examination.refused("busy", BUSY)
      )
      return yield* modeOf(strategy)
    },
    (arming, account, _, terms) => inTurn(arming, account, terms)
  )

  const disarm = Effect.fn("Arming.disarm")(function* (
    account: AccountId,
    id: number,
    how: { readonly close: boolean; readonly forget: boolean }
  ) {
    const strategy = yield* store.get(account, id)
    const { state } = yield* bots.stand(strategy)
    if (state.live === undefined) return yield* Examination.refused("not_armed", "it is on paper already")
    yield* bots.disarm(strategy, how)
    return yield* modeOf(strategy)
  })

  const mode = Effect.fn("Arming.mode")((account: AccountId, id: number) =>
    Effect.flatMap(store.get(account, id), modeOf)
  )

  return Arming.of({ mode, propose, arm, disarm })
})

const UNCONFIRMED =
  "this confirmation is of other terms, used already or more than five minutes old: ask for a new one"
const BUSY = "it is not flat, has alerts to judge or was changed just now: try again when nothing is open"
const OTHERS_FIRST = "other strategies are being armed at that exchange: try again in a moment"

/**
 * One arming at a time for each exchange: two strategies must not be armed on the same balance, and one exchange must
 * not delay another's.
 */
const makeInTurn = Effect.gen(function* () {
  const accounts = yield* ExchangeAccounts
  const alone = KeyedMutex.make(PATIENCE_MS)
  return <A, E>(arming: Effect.Effect<A, E>, owner: AccountId, terms: ArmedTerms) =>
    Effect.option(accounts.get(owner, terms.account)).pipe(
      Effect.map(
        Option.match({ onNone: () => "", onSome: ({ exchange, sandbox }) => `${exchange} ${sandbox}` })
      ),
      Effect.flatMap((key) => alone(key, arming, Examination.refused("busy", OTHERS_FIRST)))
    )
})

const makeModeOf = Effect.gen(function* () {
  const accounts = yield* ExchangeAccounts
  const bots = yield* Bots
  return Effect.fnUntraced(function* (strategy: Strategy) {
    const { lostToday, state } = yield* bots.stand(strategy)
    const { live } = state
    const astray = Object.entries(state.slots).flatMap(([key, slot]) =>
      slot.astray === undefined ? [] : [key]
    )
    if (live === undefined) return { mode: "paper", astray } satisfies TradingMode
    const account = yield* Effect.option(accounts.get(strategy.account, live.account))
    return {
      mode: live.leaving === true ? "leaving" : "live",
      armed: live,
      astray,
      ...(lostToday === undefined ? {} : { lostToday }),
      ...Option.match(account, { onNone: () => ({}), onSome: (exchangeAccount) => ({ exchangeAccount }) })
    } satisfies TradingMode
  })
})
