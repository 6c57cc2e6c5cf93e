import { Context, Effect } from "effect"
import { type Catalogue, Markets } from "../../src/services/Markets.ts"
import type { Alter } from "./Server.ts"

/** How often one step of a fiber may ask for an exchange's fees: a decision asks a few times, a crowd's alert some thousands. */
const MOST_ASKED = 300_000

/**
 * Sees that no step of a fiber goes on for ever: a bot that decides without end never lets go of the thread, so that
 * nothing outside could end it. Each decision asks the catalogue; past a bound the question fails.
 */
export class Guard {
  #asked = 0
  readonly #onSpin: () => void
  readonly #watched = new WeakMap<Catalogue, Catalogue>()

  constructor(onSpin: () => void) {
    this.#onSpin = onSpin
  }

  /** Another step begins. */
  rest(): void {
    this.#asked = 0
  }

  readonly alter: Alter = (base) => {
    const sound = Context.get(base, Markets)
    return Context.add(base, Markets, {
      ...sound,
      catalogue: Effect.map(sound.catalogue, (it) => this.#watch(it))
    })
  }

  #watch(sound: Catalogue): Catalogue {
    const known = this.#watched.get(sound)
    if (known !== undefined) return known
    const watched: Catalogue = {
      ...sound,
      exchange: (name) => {
        if (++this.#asked > MOST_ASKED) {
          this.#onSpin()
          throw new Error("a bot decides without end")
        }
        return sound.exchange(name)
      }
    }
    this.#watched.set(sound, watched)
    return watched
  }
}
