// The watch windows of all bots in one market, indexed so that a tick inside every window costs a few comparisons,
// however many bots watch. The shared bounds may be tighter than the windows but never wider, so no bot misses a price.
import { TOLERANCE } from "../Prices.ts"
import { turnAbove, turnBelow, type Window } from "../Watch.ts"

/** The bid, ask and time that a tick must reach before any window is left. */
export interface Bounds {
  readonly below: number
  readonly above: number
  readonly at: number
}

/**
 * The windows of all watchers of one market, by the watcher's number, and the bounds of all windows together. A tick
 * inside the bounds costs a few comparisons; one outside costs a scan, which finds the watchers whose window it leaves
 * and computes the bounds anew. Between scans the bounds are only tightened.
 *
 * Trails are moved lazily: `#top` and `#bottom` hold how far prices went since the trails were last moved, and the
 * bounds allow for the tightest trail. `extremeOf` returns where a trail stands; apply it to a bot's state (`follow`)
 * before the bot decides.
 */
export class WindowIndex {
  readonly #places = new Map<number, number>()
  #columns = columnsOf(8)
  #size = 0
  /**
   * The watchers that the last scan found. They rejoin the bounds at the next price; most have a new window by then.
   */
  #found: ReadonlyArray<number> = NOBODY
  #below = Number.NEGATIVE_INFINITY
  #above = Number.POSITIVE_INFINITY
  #at = Number.POSITIVE_INFINITY
  /** The highest bid and lowest ask that the trails still have to follow; else their nearest extremes. */
  #top = Number.POSITIVE_INFINITY
  #bottom = Number.NEGATIVE_INFINITY
  /**
   * Of the trails that follow the highest price: the lowest extreme and the tightest ratio. Below: of those that follow
   * the lowest.
   */
  #peak = Number.POSITIVE_INFINITY
  #fall = 0
  #trough = Number.NEGATIVE_INFINITY
  #rise = Number.POSITIVE_INFINITY

  get size(): number {
    return this.#size
  }

  /** At most as far from the price as any window; exact right after a scan. */
  get bounds(): Bounds {
    this.#readmit()
    return { below: this.#below, above: this.#above, at: this.#at }
  }

  /** Replaces a watcher's window by one computed at the last price. */
  put(id: number, window: Window): void {
    const place = this.#places.get(id) ?? this.#append(id)
    const { trail } = window
    // The new trail starts at this price: move the others first, so that it does not follow earlier prices.
    if (trail !== undefined && this.#isLagging()) this.#catchUp()
    write(this.#columns, place, window)
    if (trail?.follows === "highest") {
      this.#top = this.#peak = lesser(this.#peak, trail.extreme)
      this.#fall = greater(this.#fall, trail.ratio)
    } else if (trail?.follows === "lowest") {
      this.#bottom = this.#trough = greater(this.#trough, trail.extreme)
      this.#rise = lesser(this.#rise, trail.ratio)
    }
    this.#include(place)
  }

  drop(id: number): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#places.delete(id)
    const last = --this.#size
    if (place === last) return
    for (const column of Object.values(this.#columns)) column.copyWithin(place, last, last + 1)
    this.#places.set(this.#columns.id[place] ?? 0, place)
  }

  /** The extreme of a watcher's trail; NaN if it has none. */
  extremeOf(id: number): number {
    const place = this.#places.get(id)
    if (place === undefined) return Number.NaN
    const peak = this.#columns.peak[place] ?? 0
    const trough = this.#columns.trough[place] ?? 0
    if (peak < Number.POSITIVE_INFINITY) return greater(peak, this.#top)
    return trough > Number.NEGATIVE_INFINITY ? lesser(trough, this.#bottom) : Number.NaN
  }

  /**
   * Takes a price at `now` (ms) and returns the watchers whose windows it leaves, sorted by number. Put their new
   * windows after they decided; without one they are found again at the next price.
   */
  tick(bid: number, ask: number, now: number): ReadonlyArray<number> {
    if (this.#found !== NOBODY) this.#readmit()
    const left =
      bid <= this.#below || ask >= this.#above || now >= this.#at ? this.#scan(bid, ask, now) : NOBODY
    if (bid > this.#top) {
      this.#top = bid
      this.#below = greater(this.#below, bid * this.#fall * (1 + MARGIN))
    }
    if (ask < this.#bottom) {
      this.#bottom = ask
      this.#above = lesser(this.#above, ask * this.#rise * (1 - MARGIN))
    }
    return left
  }

  #scan(bid: number, ask: number, now: number): ReadonlyArray<number> {
    this.#catchUp()
    const { above, at, below, id } = this.#columns
    const found: Array<number> = []
    let highest = Number.NEGATIVE_INFINITY
    let lowest = Number.POSITIVE_INFINITY
    let soonest = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.#size; i++) {
      // A place below `#size` always exists; `?? 0`, here and below, only satisfies the types.
      const low = below[i] ?? 0
      const high = above[i] ?? 0
      const time = at[i] ?? 0
      if (bid <= low || ask >= high || now >= time) {
        found.push(id[i] ?? 0)
        continue
      }
      if (low > highest) highest = low
      if (high < lowest) lowest = high
      if (time < soonest) soonest = time
    }
    this.#below = highest
    this.#above = lowest
    this.#at = soonest
    if (found.length > 0) this.#found = found.sort((one, other) => one - other)
    return this.#found
  }

  #isLagging(): boolean {
    return this.#top > this.#peak || this.#bottom < this.#trough
  }

  /** Moves all trails to the extremes since they were last moved. */
  #catchUp(): void {
    const { peak, ratio, trough } = this.#columns
    let least = Number.POSITIVE_INFINITY
    let fall = 0
    let most = Number.NEGATIVE_INFINITY
    let rise = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.#size; i++) {
      if ((peak[i] ?? 0) < Number.POSITIVE_INFINITY) {
        if (this.#top > (peak[i] ?? 0)) raise(this.#columns, i, this.#top)
        least = lesser(least, peak[i] ?? 0)
        fall = greater(fall, ratio[i] ?? 0)
      } else if ((trough[i] ?? 0) > Number.NEGATIVE_INFINITY) {
        if (this.#bottom < (trough[i] ?? 0)) lower(this.#columns, i, this.#bottom)
        most = greater(most, trough[i] ?? 0)
        rise = lesser(rise, ratio[i] ?? 0)
      }
    }
    this.#top = this.#peak = least
    this.#bottom = this.#trough = most
    this.#fall = fall
    this.#rise = rise
  }

  /** Returns the found watchers to the bounds, with their new window or the old one. */
  #readmit(): void {
    for (const id of this.#found) {
      const place = this.#places.get(id)
      if (place !== undefined) this.#include(place)
    }
    this.#found = NOBODY
  }

  #include(place: number): void {
    this.#below = greater(this.#below, this.#columns.below[place] ?? 0)
    this.#above = lesser(this.#above, this.#columns.above[place] ?? 0)
    this.#at = lesser(this.#at, this.#columns.at[place] ?? 0)
  }

  #append(id: number): number {
    const place = this.#size++
    if (place === this.#columns.id.length) this.#columns = grown(this.#columns)
    this.#columns.id[place] = id
    this.#places.set(id, place)
    return place
  }
}

const NOBODY: ReadonlyArray<number> = []

/** The known number, if the other is NaN: one watcher's NaN must not spread to the bounds of all. */
const greater = (known: number, other: number): number =>
  Number.isNaN(other) ? known : Math.max(known, other)
const lesser = (known: number, other: number): number =>
  Number.isNaN(other) ? known : Math.min(known, other)

/** Room in the bounds for the rounding of a turn and the tolerance in it. */
const MARGIN = 2 * TOLERANCE

/**
 * One place per watcher, as parallel columns. `below` and `above` include the trail's turn; `fixed` is the same side
 * without it. `peak` is the extreme of a trail that follows the highest price, else infinity; `trough` the same for the
 * lowest.
 */
interface Columns {
  readonly id: Float64Array
  readonly below: Float64Array
  readonly above: Float64Array
  readonly at: Float64Array
  readonly peak: Float64Array
  readonly trough: Float64Array
  readonly fixed: Float64Array
  readonly ratio: Float64Array
  readonly gate: Float64Array
}

const columnsOf = (length: number): Columns => ({
  id: new Float64Array(length),
  below: new Float64Array(length),
  above: new Float64Array(length),
  at: new Float64Array(length),
  peak: new Float64Array(length),
  trough: new Float64Array(length),
  fixed: new Float64Array(length),
  ratio: new Float64Array(length),
  gate: new Float64Array(length)
})

const grown = (columns: Columns): Columns => {
  const larger = columnsOf(2 * columns.id.length)
  larger.id.set(columns.id)
  larger.below.set(columns.below)
  larger.above.set(columns.above)
  larger.at.set(columns.at)
  larger.peak.set(columns.peak)
  larger.trough.set(columns.trough)
  larger.fixed.set(columns.fixed)
  larger.ratio.set(columns.ratio)
  larger.gate.set(columns.gate)
  return larger
}

const write = (columns: Columns, place: number, { above, at, below, trail }: Window): void => {
  columns.below[place] = below
  columns.above[place] = above
  columns.at[place] = at
  columns.peak[place] = Number.POSITIVE_INFINITY
  columns.trough[place] = Number.NEGATIVE_INFINITY
  if (trail === undefined) return
  columns.ratio[place] = trail.ratio
  if (trail.follows === "highest") {
    columns.fixed[place] = below
    columns.gate[place] = trail.gate ?? Number.NEGATIVE_INFINITY
    raise(columns, place, trail.extreme)
  } else {
    columns.fixed[place] = above
    columns.gate[place] = trail.gate ?? Number.POSITIVE_INFINITY
    lower(columns, place, trail.extreme)
  }
}

const raise = (columns: Columns, place: number, extreme: number): void => {
  const turn = turnBelow(extreme, columns.ratio[place] ?? 0, columns.gate[place] ?? 0)
  columns.peak[place] = extreme
  columns.below[place] = greater(columns.fixed[place] ?? 0, turn)
}

const lower = (columns: Columns, place: number, extreme: number): void => {
  const turn = turnAbove(extreme, columns.ratio[place] ?? 0, columns.gate[place] ?? 0)
  columns.trough[place] = extreme
  columns.above[place] = lesser(columns.fixed[place] ?? 0, turn)
}
