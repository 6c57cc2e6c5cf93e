// One hash for all rows of a table, in both dialects: over every value in the sequence of the table's key, each with its
// length, so that no two tables with different rows have the same text.

/** A value as both dialects write it: a whole number or a number in its shortest form, a text, or bytes as hex. */
export type Value = string | null
export type Row = ReadonlyArray<Value>

/** Counts and hashes rows. */
export interface RowHash {
  readonly add: (rows: ReadonlyArray<Row>) => void
  readonly end: () => Sum
}

/** The number of rows, and SHA-256 in hex over all of them. */
export interface Sum {
  readonly rows: number
  readonly hash: string
}

/** A number as both dialects write it. */
export const numberText = (value: unknown): string => String(Number(value))

export const make = (columns: ReadonlyArray<string>): RowHash => {
  const hasher = new Bun.CryptoHasher("sha256").update(columns.join(","))
  let count = 0
  return {
    add: (rows) => {
      let text = ""
      for (const row of rows)
        for (const value of row) text += value === null ? "-" : `${value.length}:${value}`
      hasher.update(text)
      count += rows.length
    },
    end: () => ({ rows: count, hash: hasher.digest("hex") })
  }
}
