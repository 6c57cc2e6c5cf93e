// Watches every request at the stubs: an order has to be on record before it is sent; and the engine is killed in the
// middle of a request, most often while the second leg of a turn waits.

import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Call } from "../../exchanges/private/Desk.ts"
import { clientIdOf } from "../../reliability/orders/Records.ts"
import type { Venue } from "../../reliability/orders/Venue.ts"
import type { Life } from "./Life.ts"
import type { Server } from "./Server.ts"

/** How long a request is held at most while the engine ends (ms of real time). */
const HELD_MS = 200

export class Watch {
  /** What must never be, as far as seen. */
  readonly flaws: Array<string> = []
  readonly #server: Server
  readonly #lives: ReadonlyArray<Life>
  readonly #dice: SeededRandom
  readonly #known = new Set<string>()
  readonly #ids = new Set<string>()
  #kill:
    | { readonly isOfTurn: boolean; readonly when: "before" | "after"; readonly fall: () => void }
    | undefined

  constructor(server: Server, lives: ReadonlyArray<Life>, venues: ReadonlyArray<Venue>, dice: SeededRandom) {
    this.#server = server
    this.#lives = lives
    this.#dice = dice
    for (const venue of venues) venue.desk.watch = (call, when) => this.#see(venue, call, when)
  }

  /** Resolves at the next order that is placed or cancelled, which is then held for a moment. */
  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#kill = {
      isOfTurn: this.#dice.chance(0.6),
      when: this.#dice.pick(["before", "after"] as const),
      fall: resolve
    }
    return promise
  }

  /** Nothing is killed any more. */
  rest(): void {
    this.#kill = undefined
  }

  #see(venue: Venue, { kind, request }: Call, when: "before" | "after"): Promise<void> | undefined {
    const text = `${request.target} ${request.body}`
    if (kind === "place" && when === "before" && !this.#isIntended(text))
      this.flaws.push(`${venue.name} was sent an order that nobody had intended: ${text.slice(0, 200)}`)
    const kill = this.#kill
    if (kill === undefined || kill.when !== when || (kind !== "place" && kind !== "cancel")) return undefined
    const life = this.#lives.find((one) => one.venue === venue && venue.concerns(one.market)(request))
    if (kill.isOfTurn && life?.slot?.turn === undefined) return undefined
    this.#kill = undefined
    kill.fall()
    return Bun.sleep(HELD_MS)
  }

  #isIntended(text: string): boolean {
    for (const order of this.#server.storage.rows.latest()) {
      if (this.#known.has(order.id)) continue
      this.#known.add(order.id)
      this.#ids.add(clientIdOf(order))
    }
    return [...text.matchAll(/[0-9a-f]{32}/g)].some(([id]) => this.#ids.has(id))
  }
}
