/** Random numbers from a seed (mulberry32): the same seed gives the same attack. */
export class Seeded {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** At least 0, below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<A>(all: ReadonlyArray<A>): A {
    const found = all[this.below(all.length)]
    if (found === undefined) throw new Error("there is nothing to pick from")
    return found
  }
}
