// The exchanges and quote currencies that a server lists: those of the interface, and an embedder's own. Requests may
// name no others; what is stored or shown may, because another server may have written it.
import * as Schema from "effect/Schema"
import {
  EXCHANGE_NAMES,
  ExchangeName,
  exchangeNameOf,
  plainNameOf,
  QUOTE_CURRENCIES,
  QuoteCurrency
} from "../Market.ts"

/** The venues that a server lists, in the sequence in which it shows them. */
export interface VenueList {
  readonly exchanges: ReadonlyArray<ExchangeName>
  readonly quoteCurrencies: ReadonlyArray<QuoteCurrency>
}

/** The venues of the interface. */
export const INTERFACE: VenueList = { exchanges: EXCHANGE_NAMES, quoteCurrencies: QUOTE_CURRENCIES }

/** Names of an embedder's own. */
export interface OwnVenues {
  /** Each 1 to 40 of a-z, 0-9, dot, hyphen and underscore, the first a letter or a digit. */
  readonly exchanges?: ReadonlyArray<string>
  /** Each 1 to 20 of A-Z and 0-9, as in a pair. */
  readonly quoteCurrencies?: ReadonlyArray<string>
}

/** The venues of the interface, followed by some of your own. Throws where a name cannot be one. */
export const withOwn = ({ exchanges = [], quoteCurrencies = [] }: OwnVenues): VenueList => ({
  exchanges: [...new Set([...EXCHANGE_NAMES, ...exchanges.map(ExchangeName.make)])],
  quoteCurrencies: [...new Set([...QUOTE_CURRENCIES, ...quoteCurrencies.map(QuoteCurrency.make)])]
})

/**
 * The listed exchange behind a written name: its own name first, then in any case, with other separators, with `.com`,
 * or under another common name. Undefined for an exchange that is not listed.
 */
export const exchangeOf = (venues: VenueList, written: unknown): ExchangeName | undefined => {
  if (typeof written !== "string") return undefined
  const text = written.trim().toLowerCase()
  const own = venues.exchanges.find((name) => name === text)
  if (own !== undefined) return own
  const plain = plainNameOf(text)
  const found = venues.exchanges.find((name) => plainNameOf(name) === plain)
  if (found !== undefined) return found
  const known = exchangeNameOf(text)
  return known !== undefined && venues.exchanges.includes(known) ? known : undefined
}

/** The listed exchanges in a text, for violations. */
export const exchangesText = ({ exchanges }: VenueList): string => `one of ${exchanges.join(", ")}`

/** Schemas that take only listed names. */
export interface ListedSchemas {
  readonly exchange: Schema.Schema<ExchangeName>
  readonly quoteCurrency: Schema.Schema<QuoteCurrency>
}

const known = new WeakMap<VenueList, ListedSchemas>()

/** The schemas of a list, made once. */
export const schemasOf = (venues: VenueList): ListedSchemas => {
  const made = known.get(venues) ?? {
    exchange: Schema.Literal(...venues.exchanges),
    quoteCurrency: Schema.Literal(...venues.quoteCurrencies)
  }
  known.set(venues, made)
  return made
}

/**
 * The exchanges and the currency that a strategy trades in and that are not listed; its bot does nothing where there
 * are any. A preferred exchange on which it trades nothing is of no account.
 */
export const unlistedIn = (
  { exchanges, quoteCurrencies }: VenueList,
  settings: {
    readonly exchanges: ReadonlyArray<{ readonly exchange: ExchangeName }>
    readonly quote: QuoteCurrency
  }
): ReadonlyArray<string> => [
  ...settings.exchanges.map(({ exchange }) => exchange).filter((name) => !exchanges.includes(name)),
  ...(quoteCurrencies.includes(settings.quote) ? [] : [settings.quote])
]
