// Buys a market on which people are short until its price has more than doubled and their margin is gone.
import type { MarketId } from "../../src/domain/Market.ts"
import { Books } from "./Books.ts"
import type { People } from "./People.ts"
import type { World } from "./World.ts"

export class Squeezer {
  readonly #world: World
  readonly #people: People

  constructor(world: World, people: People) {
    this.#world = world
    this.#people = people
  }

  begin(): void {
    this.#world.every("squeezer", 5_000, 30_000, (dice) => {
      const shorts = this.#shorts()
      if (!this.#world.calm && shorts.length > 0) this.#world.prices.squeeze(dice.pick(shorts))
    })
  }

  #shorts(): ReadonlyArray<MarketId> {
    const books = new Books(this.#world.disk)
    return this.#people.strategies
      .flatMap(({ id }) => Object.values(books.bot(id)?.state.slots ?? {}))
      .filter(({ position }) => position?.side === "short")
  }
}
