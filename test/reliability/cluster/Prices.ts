// The prices of all nodes: those of one stub exchange, whose markets go up and down by this machine's clock. A replay would
// not do, because each node would have a time of its own.
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import { binance } from "../../exchanges/binance.ts"
import * as Candles from "../Candles.ts"
import { Venue } from "../prices/Venue.ts"

/** How many times faster prices move than their course says, and how often (ms). */
const SPEED = 3
const EVERY_MS = 100

export class Prices {
  readonly #venue: Venue
  readonly #timer: Timer

  private constructor(venue: Venue) {
    this.#venue = venue
    this.#move()
    this.#timer = setInterval(() => this.#move(), EVERY_MS)
  }

  static async start(dice: SeededRandom): Promise<Prices> {
    return new Prices(await Venue.start(binance, dice))
  }

  /** Where servers find them: for `--exchange-urls`. */
  get urls(): string {
    return `${this.#venue.name}=${this.#venue.stub.url}`
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#venue.stop()
  }

  #move(): void {
    for (const market of this.#venue.markets) {
      const index = Candles.COURSES.findIndex(({ name }) => name === market.pair.replace("/", "-"))
      const course = Candles.COURSES[index]
      if (course === undefined) continue
      this.#venue.move(market, Candles.priceAt(course, index, performance.now() * SPEED))
    }
  }
}
