/** Chance from a seed, so that a run that went wrong can be had again, as far as the machine's timing lets it. */
export class Luck {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<A>(first: A, ...others: ReadonlyArray<A>): A {
    return others[Math.floor(this.next() * (others.length + 1)) - 1] ?? first
  }
}
