// Random streams by name: a stream depends on the seed and its name only, so that adding an actor does not change
// what others draw.
import { Dice } from "../../src/testing/Dice.ts"

export class Chance {
  readonly #seed: number
  readonly #streams = new Map<string, Dice>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The stream of a name, continued. */
  of(name: string): Dice {
    const stream = this.#streams.get(name) ?? new Dice(Bun.hash.xxHash32(`${this.#seed} ${name}`))
    this.#streams.set(name, stream)
    return stream
  }
}
