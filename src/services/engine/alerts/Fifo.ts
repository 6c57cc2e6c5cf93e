/**
 * First in, first out, in an array whose used up part is cut off now and then: constant cost, and nothing kept but the
 * items. A Map that loses its first entry again and again takes longer each time.
 */
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

/** Used up items that are not worth being cut off. */
const CUT = 32
