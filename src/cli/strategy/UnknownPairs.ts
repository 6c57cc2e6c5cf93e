// Pairs of a file that no market is known of: their exchanges are asked for their markets once, as the server does where a
// request names such a pair.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { SETTINGS } from "../../Config.ts"
import { parse } from "../../ccxt/Addresses.ts"
import { type ExchangeName, isKnownExchange } from "../../domain/Market.ts"
import type { Fields } from "../../domain/requests/Form.ts"
import { asRequest } from "../../domain/requests/StrategyFile.ts"
import { read } from "../../domain/requests/StrategyRequest.ts"
import { exchangesOfUnknown } from "../../trading/StrategyRules.ts"
import { usable } from "../config/options.ts"
import { plain } from "../program/table.ts"
import type { World } from "./Plan.ts"

/** The exchanges on which the records list a pair that is not known. */
export const exchangesIn = (
  records: ReadonlyArray<Fields>,
  { exchange, market }: Pick<World, "exchange" | "market">
): ReadonlyArray<ExchangeName> => [
  ...new Set(
    records.flatMap((record) => {
      const { listings } = read(asRequest(record, exchange), Option.none())
      return [
        ...exchangesOfUnknown(
          Option.getOrElse(listings, () => []),
          market
        )
      ]
    })
  )
]

/** Asks exchanges, each once in the life of the command; returns what was tried, a line for each exchange. */
export const asker = Effect.gen(function* () {
  const urls = Either.getOrElse(parse(yield* usable(SETTINGS.exchangeUrls)), () => new Map<string, string>())
  const tried = new Map<ExchangeName, string>()
  const ask = Effect.fnUntraced(function* (name: ExchangeName) {
    const known = tried.get(name)
    if (known !== undefined || !isKnownExchange(name)) return known
    const { renewed } = yield* Effect.promise(() => import("../market/Renewal.ts"))
    const { result } = yield* renewed(name, urls.get(name))
    const line = Either.match(result, {
      onLeft: (error) => `${name} was asked for its markets, and could not be refreshed: ${plain(error)}`,
      onRight: () => `${name} was asked for its markets just now`
    })
    tried.set(name, line)
    return line
  })
  return (names: ReadonlyArray<ExchangeName>) =>
    Effect.map(Effect.forEach(names, ask, { concurrency: 3 }), (lines) =>
      lines.filter((line) => line !== undefined)
    )
})
