import { Dice } from "../../src/testing/Dice.ts"

/**
 * Chance by name: each name has a stream of draws of its own, which hangs on the seed and the name alone. So what one
 * person, market or order draws is the same whoever else is there.
 */
export class Chance {
  readonly #seed: number
  readonly #streams = new Map<string, Dice>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The stream of this name, where it was left. */
  of(name: string): Dice {
    const stream = this.#streams.get(name) ?? new Dice(Bun.hash.xxHash32(`${this.#seed} ${name}`))
    this.#streams.set(name, stream)
    return stream
  }
}
