// The fields of a strategy request that name a venue: they take only what the server lists, while views and stored
// settings show whatever is there.
import type * as Schema from "effect/Schema"
import { schemasOf, type VenueList } from "../market/VenueList.ts"
import { storedListings } from "./StrategyLists.ts"
import type { Row } from "./StrategyView.ts"

/** The schemas of these fields by their names in requests. */
type Fields = ReadonlyMap<string, Schema.Schema.AnyNoContext>

const known = new WeakMap<VenueList, Fields>()

const fieldsOf = (venues: VenueList): Fields => {
  const made = known.get(venues)
  if (made !== undefined) return made
  const { exchange, quoteCurrency } = schemasOf(venues)
  const fields: Fields = new Map<string, Schema.Schema.AnyNoContext>([
    ["default_quote_currency", quoteCurrency],
    ["default_exchange_name", exchange],
    ["exchanges", storedListings(exchange)]
  ])
  known.set(venues, fields)
  return fields
}

/** The schema that decodes a row of a request into the value of the settings. */
export const schemaOf = (venues: VenueList, { request, schema, stored }: Row): Schema.Schema.AnyNoContext =>
  fieldsOf(venues).get(request) ?? stored ?? schema
