// Cursor pagination: a page reads one row more than it shows, and that row decides whether the `Link` header names a
// next page.
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { MAX_LIMIT, type Page as PageQuery } from "../../api/shared/Paging.ts"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"
import { CurrentRequest } from "./Request.ts"

export type { PageQuery }

/** A requested page: `limit` rows after the row `from`; an absent field sets no bound. */
export interface Page {
  readonly limit?: number
  readonly from?: number
}

/** Parses the page of a request, or returns all violations. */
export const read = ({ cursor, limit }: PageQuery): Either.Either<Page, Violations> => {
  const violations: Array<Violation> = []
  const from = cursor === undefined ? undefined : decodeCursor(cursor)
  if (cursor !== undefined && from === undefined)
    violations.push(violation("cursor", "must be one that the Link header of an answer held"))
  if (limit !== undefined && !(limit >= 1 && limit <= MAX_LIMIT))
    violations.push(violation("limit", `must be a whole number from 1 to ${MAX_LIMIT}`))
  if (violations.length > 0) return Either.left(Violations.of(violations))
  return Either.right({
    ...(limit === undefined ? {} : { limit }),
    ...(from === undefined ? {} : { from })
  })
}

/** The query for a page of a list sorted by creation, with one more row. */
export const after = ({ from, limit }: Page) => ({
  ...(limit === undefined ? {} : { limit: limit + 1 }),
  ...(from === undefined ? {} : { after: from })
})

/** The query for a page of a list that starts with the newest, with one more row. */
export const before = ({ from, limit }: Page, otherwise: number) => ({
  limit: (limit ?? otherwise) + 1,
  ...(from === undefined ? {} : { before: from })
})

/** The query for a page of a search that starts with the newest. */
export const searched = ({ from, limit }: Page, otherwise: number) => ({
  limit: limit ?? otherwise,
  ...(from === undefined ? {} : { before: from })
})

/** The `Link` header of a search that goes on below an id, with all that was searched for. */
export const linked = (
  next: number | undefined,
  page: Page,
  query: Readonly<Record<string, string | number | undefined>>
) => linkedTo(next === undefined ? undefined : encodeCursor(next), page, query)

/** The `Link` header of a list that goes on at a cursor, with all that was searched for. */
export const linkedTo = (
  cursor: string | undefined,
  { limit }: { readonly limit?: number | undefined },
  query: Readonly<Record<string, string | number | undefined>>
) =>
  Effect.map(CurrentRequest, ({ path }): Record<string, string> => {
    if (cursor === undefined) return {}
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && name !== "limit" && name !== "cursor") search.set(name, String(value))
    if (limit !== undefined) search.set("limit", String(limit))
    search.set("cursor", cursor)
    return { link: `<${path}?${search}>; rel="next"` }
  })

/** Cuts the rows to the page, and makes the `Link` header of the next one, with the rest of the query. */
export const cut = <A>(rows: ReadonlyArray<A>, { limit }: Page, idOf: (row: A) => number, query = "") =>
  Effect.map(CurrentRequest, ({ path }) => {
    const shown = limit === undefined ? rows : rows.slice(0, limit)
    const last = shown.at(-1)
    const headers: Record<string, string> =
      limit === undefined || last === undefined || rows.length <= limit
        ? {}
        : { link: `<${path}?limit=${limit}&cursor=${encodeCursor(idOf(last))}${query}>; rel="next"` }
    return { rows: shown, headers }
  })

export const encodeCursor = (id: number): string => Encoding.encodeBase64Url(String(id))

/** The id in a cursor; undefined where it is not exactly as `encodeCursor` writes it. */
export const decodeCursor = (cursor: string): number | undefined => {
  const text = Either.getOrUndefined(Encoding.decodeBase64UrlString(cursor.slice(0, 32)))
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) && encodeCursor(id) === cursor ? id : undefined
}
