// The results that were read last, in memory: a page with a curve asks for the same ones again and again, and trades that
// are stored never change. Only newer ones are read.

/** Results of a bot's period as columns, oldest first: each trade's end (ms) and what it made. */
export interface Columns {
  readonly at: Float64Array
  readonly pnl: Float64Array
  /** The id of the last trade. */
  readonly last: number
}

/** The most trades that are kept: 16 bytes each. */
const MOST = 250_000

export class KeptResults {
  /** By strategy and period; the one that was read last is the last one. */
  readonly #kept = new Map<string, Columns>()
  #count = 0

  /** What is kept of a period; without trades where that is nothing. `before` is an id before all of its trades. */
  get(key: string, before: number): Columns {
    return this.#kept.get(key) ?? { at: new Float64Array(0), pnl: new Float64Array(0), last: before }
  }

  /** Keeps the results in the place of fewer, and drops those that were not read for longest where it is too much. */
  keep(key: string, columns: Columns): void {
    if ((this.#kept.get(key)?.last ?? Number.NEGATIVE_INFINITY) > columns.last) return
    this.#drop(key)
    this.#kept.set(key, columns)
    this.#count += columns.at.length
    for (const oldest of this.#kept.keys()) {
      if (this.#count <= MOST) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#count -= this.#kept.get(key)?.at.length ?? 0
    this.#kept.delete(key)
  }
}

/** Columns with pages added at their end. */
export const joined = (
  { at, last, pnl }: Columns,
  pages: ReadonlyArray<{ readonly [K in "at" | "pnl"]: ReadonlyArray<number> } & { readonly last: number }>
): Columns => {
  const count = pages.reduce((sum, page) => sum + page.at.length, at.length)
  const all = { at: new Float64Array(count), pnl: new Float64Array(count) }
  all.at.set(at)
  all.pnl.set(pnl)
  let place = at.length
  for (const page of pages) {
    all.at.set(page.at, place)
    all.pnl.set(page.pnl, place)
    place += page.at.length
  }
  return { ...all, last: pages.at(-1)?.last ?? last }
}
