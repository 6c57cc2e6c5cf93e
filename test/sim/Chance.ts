// Random streams by name: a stream depends on the seed and its name only, so that adding an actor does not change
// what others draw.
import { SeededRandom } from "../../src/testing/SeededRandom.ts"

export class Chance {
  readonly #seed: number
  readonly #streams = new Map<string, SeededRandom>()

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The stream of a name, continued. */
  of(name: string): SeededRandom {
    const stream = this.#streams.get(name) ?? new SeededRandom(Bun.hash.xxHash32(`${this.#seed} ${name}`))
    this.#streams.set(name, stream)
    return stream
  }
}
