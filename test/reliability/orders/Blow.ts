// What happens to the server once all orders are at their points.
import type { World } from "./World.ts"

export interface Blow {
  readonly name: string
  /**
   * Strikes the server, and ends once another one does its work. `late` lets the requests go on that were held on their way
   * to the exchanges, and the answers that were held on their way back.
   */
  readonly strike: (world: World, late: () => void) => Promise<void>
}

/** The server is killed, with what it has sent, and started again. */
export const KILL: Blow = {
  name: "kill -9",
  strike: async (world) => {
    await world.kill()
    for (const { venue } of world.traders) venue.heal()
    await Bun.sleep(200)
    await world.restart()
  }
}
