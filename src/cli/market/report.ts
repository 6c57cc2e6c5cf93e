// Prints the result of a market refresh, as a table or as JSON.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Decimal from "../../domain/Decimal.ts"
import type { KnownExchange, MarketId } from "../../domain/Market.ts"
import type { RefreshReport } from "../../domain/market/CatalogueRefresh.ts"
import type { Listing } from "../../domain/market/Listing.ts"
import { columns } from "../program/table.ts"

/** The JSON member that says why a market is left out. */
const REASON = "flaw"

/** One exchange's result: its listing and what it changed, or an error. */
export interface Outcome {
  readonly exchange: KnownExchange
  readonly result: Either.Either<{ readonly listing: Listing; readonly report: RefreshReport }, string>
}

/** The most unreadable markets that the table names; the JSON names all. */
const MOST_TOLD = 5

/** A row for each refreshed exchange, and notes about unreadable markets. */
export const table = (outcomes: ReadonlyArray<Outcome>): string => {
  const rows = outcomes.flatMap(({ exchange, result }) =>
    Either.match(result, {
      onLeft: () => [],
      onRight: ({ listing, report: refresh }) => [
        [
          exchange,
          ...[refresh.known, ...countsOf(refresh)].map(String),
          Option.match(listing.fees, {
            onNone: () => "as before",
            onSome: (fees) =>
              `${Decimal.toText(fees.makerFeePercent)} % / ${Decimal.toText(fees.takerFeePercent)} %`
          })
        ]
      ]
    })
  )
  const head = ["exchange", "known", "new", "changed", "gone", "unchanged", "maker / taker fee"]
  return [columns(head, rows), ...outcomes.flatMap(remarks)].join("\n")
}

const countsOf = ({ added, changed, gone, left }: RefreshReport) =>
  [added, changed, gone, left].map(({ length }) => length)

const remarks = ({ exchange, result }: Outcome): ReadonlyArray<string> => {
  if (Either.isLeft(result)) return []
  const { unreadable } = result.right.listing
  const lines = unreadable
    .slice(0, MOST_TOLD)
    .map(({ error, symbol }) => `${exchange} ${symbol} is skipped: ${error}`)
  const more = unreadable.length - lines.length
  return more > 0 ? [...lines, `${exchange}: ${more} more are skipped; --json names them all`] : lines
}

/** The result as JSON. */
export const report = (outcomes: ReadonlyArray<Outcome>) =>
  outcomes.map(({ exchange, result }) =>
    Either.match(result, {
      onLeft: (error) => ({ exchange, error }),
      onRight: ({ listing, report: refresh }) => ({
        exchange,
        known: refresh.known,
        new: refresh.added.map(shown),
        changed: refresh.changed.map(shown),
        gone: refresh.gone.map(shown),
        left_as_they_were: refresh.left.map(shown),
        unreadable: listing.unreadable.map(({ error, symbol }) => ({ symbol, [REASON]: error })),
        maker_fee: feeOf(listing, "makerFeePercent"),
        taker_fee: feeOf(listing, "takerFeePercent")
      })
    })
  )

const shown = ({ kind, pair }: MarketId) => ({ pair, kind })

/** Null if the exchange sent no fee: the stored fee stays. */
const feeOf = ({ fees }: Listing, name: "makerFeePercent" | "takerFeePercent") =>
  Option.match(fees, { onNone: () => null, onSome: (known) => Decimal.toNumber(known[name]) })
