// Pages of lists that are sorted by id.

/** A page: at most `limit` rows after the row with id `after`; all rows where both are absent. */
export interface Page {
  readonly limit?: number
  readonly after?: number
}

/** Cuts a page from rows that are sorted by id. */
export const pageOf = <A extends { readonly id: number }>(
  rows: ReadonlyArray<A>,
  { after = 0, limit = rows.length }: Page
): ReadonlyArray<A> => rows.filter((row) => row.id > after).slice(0, limit)
