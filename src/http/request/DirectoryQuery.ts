// The parameters of the directory's lists, checked with all violations at once.
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Schema from "effect/Schema"
import { MAX_LIMIT } from "../../api/shared/Paging.ts"
import {
  type Listing,
  type Place,
  SIGNAL_SORTS,
  type SignalQuery,
  STRATEGY_SORTS,
  type StrategyQuery
} from "../../domain/directory/Listed.ts"
import { Pair } from "../../domain/Market.ts"
import { exchangeOf, type VenueList } from "../../domain/market/VenueList.ts"
import type { Read, Texts } from "./DashboardQuery.ts"
import { Parameters } from "./Parameters.ts"

/** Rows of a page where the request does not say. */
const ROWS = 50
/** The longest search, in UTF-16 units, and the most words of it. */
const MAX_SEARCH = 100
const MAX_WORDS = 5
/** The largest age in days. */
const MAX_AGE = 36_500
const DAY_SECONDS = 86_400

/** The parameters of a list of signals as they stand in a URL. */
export interface SignalTexts extends Texts<"search" | "sort"> {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}
/** The parameters of a list of strategies as they stand in a URL. */
export interface StrategyTexts extends SignalTexts, Texts<"exchange" | "pair" | "mode" | "min_age"> {}

const isPair = Schema.is(Pair)

/** Parses the parameters of a list of strategies. `now` in seconds. */
export const strategies = (query: StrategyTexts, venues: VenueList, now: number): Read<StrategyQuery> => {
  const parameters = new Parameters()
  const sort = parameters.one("sort", query.sort, STRATEGY_SORTS)
  const mode = parameters.oneOrNone("mode", query.mode, ["paper", "real"])
  const age = parameters.whole("min_age", query.min_age, 0, MAX_AGE)
  const exchange =
    query.exchange === undefined
      ? undefined
      : (exchangeOf(venues, query.exchange) ??
        parameters.refuse("exchange", "must be an exchange of this server"))
  const written = query.pair?.toUpperCase()
  const pair =
    written === undefined || isPair(written)
      ? written
      : parameters.refuse("pair", "must be a pair of the form BASE/QUOTE")
  return parameters.read({
    ...listing(query, parameters),
    sort,
    ...(mode === undefined ? {} : { mode }),
    ...(exchange === undefined ? {} : { exchange }),
    ...(pair === undefined ? {} : { pair }),
    ...(age === undefined ? {} : { publishedBefore: now - age * DAY_SECONDS })
  })
}

/** Parses the parameters of a list of signals. */
export const signals = (query: SignalTexts): Read<SignalQuery> => {
  const parameters = new Parameters()
  const sort = parameters.one("sort", query.sort, SIGNAL_SORTS)
  return parameters.read({ ...listing(query, parameters), sort })
}

const listing = (query: SignalTexts, parameters: Parameters): Omit<Listing<string>, "sort"> => {
  const { cursor, limit = ROWS, search = "" } = query
  if (!(limit >= 1 && limit <= MAX_LIMIT))
    parameters.refuse("limit", `must be a whole number from 1 to ${MAX_LIMIT}`)
  const after = cursor === undefined ? undefined : placeOf(cursor)
  if (cursor !== undefined && after === undefined)
    parameters.refuse("cursor", "must be one that the Link header of an answer held")
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (search.length > MAX_SEARCH || search.includes("\0") || words.length > MAX_WORDS)
    parameters.refuse("search", `must be one text of at most ${MAX_SEARCH} characters and ${MAX_WORDS} words`)
  return { limit, words, ...(after === undefined ? {} : { after }) }
}

/** A place as a cursor. */
export const cursorOf = ({ id, value }: Place): string => Encoding.encodeBase64Url(`${value}:${id}`)

/** The place of a cursor; undefined where it is not exactly as `cursorOf` writes it. */
export const placeOf = (cursor: string): Place | undefined => {
  const text = Either.getOrElse(Encoding.decodeBase64UrlString(cursor.slice(0, 80)), () => "")
  const [value = "", id = ""] = text.split(":")
  const place = { value: Number(value), id: Number(id) }
  const isPlace = Number.isFinite(place.value) && Number.isSafeInteger(place.id) && place.id > 0
  return isPlace && cursorOf(place) === cursor ? place : undefined
}
