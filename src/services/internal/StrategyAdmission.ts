// Whether a strategy may have the settings of a request: by every rule, and by what its bot does at the moment.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Reading } from "../../domain/requests/StrategyRequest.ts"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"
import type { Settings, Strategy } from "../../domain/Strategy.ts"
import type { StrategyId } from "../../domain/StrategyId.ts"
import { exchangesOfUnknown } from "../../trading/StrategyRules.ts"
import type { Bots } from "../Bots.ts"
import { MarketRefresher } from "../feeds/MarketRefresher.ts"
import { Markets } from "../Markets.ts"
import { Signals } from "../Signals.ts"
import { Validation } from "../Validation.ts"

/** What has to be known of a bot before its settings change: whether it is armed, and whether it holds anything. */
export interface BotChecks extends Pick<typeof Bots.Service, "isFlat"> {
  readonly isLive: (strategy: StrategyId) => Effect.Effect<boolean>
}

/** The checks of bots that run. */
export const checksOf = ({ isFlat, standings }: typeof Bots.Service): BotChecks => ({
  isFlat,
  isLive: (id) => Effect.map(standings([id]), (found) => found.get(id)?.live !== undefined)
})

/** Makes the checks of requests. `maxPairs`: of a strategy. */
export const make = Effect.fnUntraced(function* (maxPairs: number, bots: BotChecks) {
  const signals = yield* Signals
  const markets = yield* Markets
  const validation = yield* Validation
  const refresher = yield* MarketRefresher

  /** The requested settings, with all that the rules read. */
  const proposed = Effect.fnUntraced(function* (account: AccountId, reading: Reading) {
    const catalogue = yield* markets.catalogue
    const signal = yield* Option.match(reading.signalId, {
      onNone: () => Effect.succeedNone,
      onSome: (id) => Effect.option(signals.visible(account, id))
    })
    return { reading, signal, maxPairs, exchange: catalogue.exchange, market: catalogue.market }
  })

  /** What is done about exchanges of which a pair is not known: they may list it since. */
  const refreshing = Effect.fnUntraced(function* ({ listings }: Reading) {
    const { market } = yield* markets.catalogue
    const unknown = exchangesOfUnknown(
      Option.getOrElse(listings, () => []),
      market
    )
    const texts = yield* Effect.forEach(unknown, refresher.ask)
    return texts.flatMap((text) => (text === undefined ? [] : [violation("exchanges", text)]))
  })

  /** The violations of the rules that are effects. */
  const effectViolations = (account: AccountId, reading: Reading) =>
    validation.effects === undefined
      ? Effect.succeed<ReadonlyArray<Violation>>([])
      : Effect.flatMap(proposed(account, reading), validation.effects)

  /** The settings that a request asks for, checked by every rule; `known` are violations found before. */
  const judged = Effect.fnUntraced(function* (
    account: AccountId,
    reading: Reading,
    known: ReadonlyArray<Violation>
  ) {
    const violations = [
      ...validation.strategy(yield* proposed(account, reading)),
      ...known,
      ...(yield* refreshing(reading))
    ]
    if (violations.length > 0 || Option.isNone(reading.settings)) return yield* Violations.of(violations)
    return reading.settings.value
  })

  return { effectViolations, hasEffects: validation.effects !== undefined, judged, refuse: refusing(bots) }
})

/** Refuses new settings that the bot cannot take over as it stands. Run it in a turn. */
const refusing = (bots: BotChecks) => {
  /** Keeps an armed strategy on its exchange: its money is there, and an order for another could not be sent. */
  const refuseElsewhere = Effect.fnUntraced(function* (
    { id, settings: before }: Strategy,
    { exchanges }: Settings
  ) {
    const known = new Set(before.exchanges.map(({ exchange }) => exchange))
    if (exchanges.every(({ exchange }) => known.has(exchange))) return
    if (!(yield* bots.isLive(id))) return
    const text = "must stay on the exchange that the bot is armed on: disarm it first"
    return yield* Violations.of([violation("exchanges", text)])
  })

  /**
   * Refuses another quote currency while the bot has positions, which are valued in the old one, or is armed on terms
   * in it.
   */
  const refuseRecount = Effect.fnUntraced(function* (
    { id, settings: { quote } }: Strategy,
    settings: Settings
  ) {
    if (settings.quote === quote) return
    const refused = (text: string) => Violations.of([violation("default_quote_currency", text)])
    if (yield* bots.isLive(id)) return yield* refused("cannot change while the bot is armed: disarm it first")
    if (!(yield* bots.isFlat(id)))
      return yield* refused("cannot change while the bot holds positions: close them first")
  })

  return Effect.fnUntraced(function* (before: Strategy, settings: Settings) {
    yield* refuseElsewhere(before, settings)
    yield* refuseRecount(before, settings)
  })
}
