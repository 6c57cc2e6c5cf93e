// A first-in, first-out queue at constant cost: an array whose used part is cut off now and then. A Map gets slower
// with each first entry that it loses.
export class Fifo<A> {
  #items: Array<A> = []
  #first = 0

  get size(): number {
    return this.#items.length - this.#first
  }

  get first(): A | undefined {
    return this.#items[this.#first]
  }

  push(item: A): void {
    this.#items.push(item)
  }

  shift(): A | undefined {
    const item = this.#items[this.#first]
    if (this.#first < this.#items.length) this.#first++
    if (this.#first >= CUT && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
    return item
  }
}

/** Used items below which the array is not cut. */
const CUT = 32
