// Ids by key, sorted within each key. Adding and removing at the ends is cheap, and most ids come and go there.
export class IdsByKey {
  readonly #ids = new Map<string, Array<number>>()

  add(key: string, id: number): void {
    const ids = this.#ids.get(key)
    if (ids === undefined) this.#ids.set(key, [id])
    else ids.splice(placeOf(ids, id), 0, id)
  }

  drop(key: string, id: number): void {
    const ids = this.#ids.get(key) ?? []
    const place = placeOf(ids, id)
    if (ids[place] !== id) return
    if (ids.length === 1) this.#ids.delete(key)
    else ids.splice(place, 1)
  }

  /** The last id of a key before this one. */
  before(key: string, id: number): number | undefined {
    const ids = this.#ids.get(key) ?? []
    return ids[placeOf(ids, id) - 1]
  }

  /** How many ids of a key lie between these two. */
  between(key: string, after: number, before: number): number {
    const ids = this.#ids.get(key) ?? []
    return Math.max(0, placeOf(ids, before) - placeOf(ids, after + 1))
  }
}

/** The index of an id, or the index at which to insert it. */
const placeOf = (ids: ReadonlyArray<number>, id: number): number => {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}
