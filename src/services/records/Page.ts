/** A stretch of a list: at most `limit` rows beyond the row with id `after`; all of them where it is absent. */
export interface Page {
  readonly limit?: number
  readonly after?: number
}

/** The stretch of rows that stand in the order of their ids. */
export const pageOf = <A extends { readonly id: number }>(
  rows: ReadonlyArray<A>,
  { after = 0, limit = rows.length }: Page
): ReadonlyArray<A> => rows.filter((row) => row.id > after).slice(0, limit)
