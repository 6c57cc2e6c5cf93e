// The fields of a draft that no strategy has, each with the nearest that one has. Ignoring `stop_los` would make a
// strategy without a stop loss.
import * as EditDistance from "../internal/EditDistance.ts"
import { ListingView } from "./StrategyLists.ts"
import { rows } from "./StrategyView.ts"
import { MAX_VIOLATIONS, type Violation, violation } from "./Violations.ts"

/** The request's name of each setting, by each name that it has. */
const NAMES: ReadonlyMap<string, string> = new Map(
  rows.flatMap(({ model, request }) => [
    [model, request],
    [request, request]
  ])
)
const LISTING_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(ListingView.fields).map((name) => [name, name])
)
/** The most letters of an unknown name that are shown and compared. */
const MAX_NAME = 60

/** A violation for each unknown field of a draft and of its listings. Names of responses have violations of their own. */
export const unknownFields = (draft: object): ReadonlyArray<Violation> => {
  const found = unknownIn(draft, NAMES, "")
  const exchanges = new Map<string, unknown>(Object.entries(draft)).get("exchanges")
  if (!Array.isArray(exchanges)) return found
  for (const [index, listing] of exchanges.slice(0, MAX_VIOLATIONS).entries())
    if (typeof listing === "object" && listing !== null && !Array.isArray(listing))
      found.push(...unknownIn(listing, LISTING_NAMES, `[${index}].`))
  return found.slice(0, MAX_VIOLATIONS)
}

const unknownIn = (fields: object, known: ReadonlyMap<string, string>, path: string): Array<Violation> =>
  Object.keys(fields)
    .filter((name) => !known.has(name))
    .slice(0, MAX_VIOLATIONS)
    .map((name) => {
      const meant = nearest(name, known)
      const shown = name.slice(0, MAX_NAME)
      const text = `no strategy has this field${meant === undefined ? "" : `: did you mean ${path}${meant}?`}`
      return path === "" ? violation(shown, text) : violation("exchanges", `${path}${shown}: ${text}`)
    })

/** The known name that is nearest to `name`, if no more than half of its letters differ. */
const nearest = (name: string, known: ReadonlyMap<string, string>): string | undefined => {
  const sought = name.slice(0, MAX_NAME).toLowerCase()
  let best: { readonly request: string; readonly edits: number } | undefined
  for (const [spelling, request] of known) {
    const edits = EditDistance.between(sought, spelling)
    if (edits <= sought.length / 2 && (best === undefined || edits < best.edits)) best = { request, edits }
  }
  return best?.request
}
