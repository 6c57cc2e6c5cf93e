// Ids by key, sorted within each key. Adding and removing at the ends costs the same however many there are, and most
// ids come and go there.

/** Sorted ids. Those at indexes below `from` were dropped. */
interface Ids {
  ids: Array<number>
  from: number
}

export class IdsByKey {
  readonly #byKey = new Map<string, Ids>()

  add(key: string, id: number): void {
    const own = this.#byKey.get(key)
    if (own === undefined) this.#byKey.set(key, { ids: [id], from: 0 })
    else own.ids.splice(placeOf(own, id), 0, id)
  }

  drop(key: string, id: number): void {
    const own = this.#byKey.get(key) ?? NONE
    const place = placeOf(own, id)
    if (own.ids[place] !== id) return
    if (place > own.from) own.ids.splice(place, 1)
    else own.from++
    if (own.from === own.ids.length) this.#byKey.delete(key)
    else if (own.from * 2 > own.ids.length) {
      own.ids = own.ids.slice(own.from)
      own.from = 0
    }
  }

  /** The first id of a key that is not in `except`. */
  first(key: string, except: ReadonlyArray<number>): number | undefined {
    const own = this.#byKey.get(key) ?? NONE
    for (let place = own.from; place < own.ids.length; place++) {
      const id = own.ids[place]
      if (id !== undefined && !except.includes(id)) return id
    }
    return undefined
  }

  /** The ids of a key before this one. */
  upTo(key: string, id: number): ReadonlyArray<number> {
    const own = this.#byKey.get(key) ?? NONE
    return own.ids.slice(own.from, placeOf(own, id))
  }

  /** The last id of a key before this one. */
  before(key: string, id: number): number | undefined {
    const own = this.#byKey.get(key) ?? NONE
    const place = placeOf(own, id) - 1
    return place < own.from ? undefined : own.ids[place]
  }

  /** How many ids of a key lie between these two. */
  between(key: string, after: number, before: number): number {
    const own = this.#byKey.get(key) ?? NONE
    return Math.max(0, placeOf(own, before) - placeOf(own, after + 1))
  }
}

const NONE: Ids = { ids: [], from: 0 }

/** The index of an id, or the index at which to insert it. */
const placeOf = ({ from, ids }: Ids, id: number): number => {
  let low = from
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ids[middle] ?? id) < id) low = middle + 1
    else high = middle
  }
  return low
}
