import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { ExchangeName, MarketId } from "../../domain/Market.ts"
import type { RefreshReport } from "../../domain/market/CatalogueRefresh.ts"
import type { Listing } from "../../domain/market/Listing.ts"
import { columns } from "../program/table.ts"

/** What came of asking one exchange: what it said and what that changed, or what went wrong, in a line. */
export interface Outcome {
  readonly exchange: ExchangeName
  readonly result: Either.Either<{ readonly listing: Listing; readonly told: RefreshReport }, string>
}

/** How many of the markets that could not be read are told about on a terminal; the JSON names them all. */
const MOST_TOLD = 5

/** A row for each exchange that was refreshed, and below them what was wrong with single markets. */
export const table = (outcomes: ReadonlyArray<Outcome>): string => {
  const rows = outcomes.flatMap(({ exchange, result }) =>
    Either.match(result, {
      onLeft: () => [],
      onRight: ({ listing, told }) => [
        [
          exchange,
          ...[told.known, ...countsOf(told)].map(String),
          Option.match(listing.fees, {
            onNone: () => "as before",
            onSome: (fees) =>
              `${Decimal.toText(fees.makerFeePercent)} % / ${Decimal.toText(fees.takerFeePercent)} %`
          })
        ]
      ]
    })
  )
  const head = ["exchange", "known", "new", "changed", "gone", "left as they were", "maker / taker fee"]
  return [columns(head, rows), ...outcomes.flatMap(remarks)].join("\n")
}

const countsOf = ({ added, changed, gone, left }: RefreshReport) =>
  [added, changed, gone, left].map(({ length }) => length)

const remarks = ({ exchange, result }: Outcome): ReadonlyArray<string> => {
  if (Either.isLeft(result)) return []
  const { unreadable } = result.right.listing
  const told = unreadable
    .slice(0, MOST_TOLD)
    .map(({ flaw: violation, symbol }) => `${exchange} ${symbol} is not taken over: ${violation}`)
  const more = unreadable.length - told.length
  return more > 0 ? [...told, `${exchange}: ${more} more are not taken over; --json names them all`] : told
}

/** The same as one document. */
export const report = (outcomes: ReadonlyArray<Outcome>) =>
  outcomes.map(({ exchange, result }) =>
    Either.match(result, {
      onLeft: (error) => ({ exchange, error }),
      onRight: ({ listing, told }) => ({
        exchange,
        known: told.known,
        new: told.added.map(shown),
        changed: told.changed.map(shown),
        gone: told.gone.map(shown),
        left_as_they_were: told.left.map(shown),
        unreadable: listing.unreadable.map(({ flaw: violation, symbol }) => ({ symbol, flaw: violation })),
        maker_fee: feeOf(listing, "makerFeePercent"),
        taker_fee: feeOf(listing, "takerFeePercent")
      })
    })
  )

const shown = ({ kind, pair }: MarketId) => ({ pair, kind })

/** Null where the exchange told none: it stays what it was. */
const feeOf = ({ fees }: Listing, name: "makerFeePercent" | "takerFeePercent") =>
  Option.match(fees, { onNone: () => null, onSome: (known) => Decimal.toNumber(known[name]) })
