// Whether a strategy may have the settings of a request, by every rule. What its bot does at the moment counts too: the
// engine looks at that when it takes the settings over (`engine/SettingsChange`).
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Reading } from "../../domain/requests/StrategyRequest.ts"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"
import { exchangesOfUnknown } from "../../trading/StrategyRules.ts"
import { MarketRefresher } from "../feeds/MarketRefresher.ts"
import { Markets } from "../Markets.ts"
import { Signals } from "../Signals.ts"
import { Validation } from "../Validation.ts"

/** Makes the checks of requests. `maxPairs`: of a strategy. */
export const make = Effect.fnUntraced(function* (maxPairs: number) {
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

  return { effectViolations, judged }
})
