// Stops a bot that decides without end. Such a bot never yields, so only a call that it makes itself can fail it.
import { Context, Effect } from "effect"
import { type Catalogue, Markets } from "../../src/services/Markets.ts"
import type { Alter } from "./Server.ts"

/** The most queries for fees in one step of a fiber: a decision makes a few, a thousand bots some thousands. */
const MOST_ASKED = 300_000

/** Counts the queries of one step and fails beyond the limit. */
export class Guard {
  #asked = 0
  readonly #onSpin: () => void
  readonly #watched = new WeakMap<Catalogue, Catalogue>()

  constructor(onSpin: () => void) {
    this.#onSpin = onSpin
  }

  /** The next step begins. */
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
