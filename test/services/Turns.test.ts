// The adversary: prices that never pause, whose turns follow each other without a gap.
import { expect } from "bun:test"
import { Effect, Fiber } from "effect"
import * as Breath from "../../src/services/engine/Breath.ts"
import { OrdersInFlight } from "../../src/services/engine/orders/OrdersInFlight.ts"
import { NeededMarkets } from "../../src/services/engine/prices/NeededMarkets.ts"
import { Roster } from "../../src/services/engine/Roster.ts"
import * as Turns from "../../src/services/engine/Turns.ts"
import { Meters } from "../../src/services/health/Meters.ts"
import { it } from "../lib/effect.ts"

it.live("a request that waits for a turn gets it before prices that never pause get their next one", () =>
  Effect.gen(function* () {
    const { turn } = yield* Turns.make({
      breath: Breath.make(),
      applyHalts: Effect.void,
      settle: () => Effect.void,
      cursor: () => 0,
      orders: new OrdersInFlight(),
      roster: new Roster(new NeededMarkets())
    })
    const had: Array<string> = []
    // A turn that waits for storage, as each one with a decision does.
    const take = (who: string) =>
      turn(
        Effect.zipRight(
          Effect.sleep(1),
          Effect.sync(() => had.push(who))
        )
      )
    const prices = yield* Effect.fork(Effect.repeatN(take("prices"), 20))
    yield* Effect.sleep(1)
    yield* Effect.forEach(["ann", "ben", "cem"], take, { concurrency: "unbounded", discard: true })
    yield* Fiber.join(prices)
    expect(had.indexOf("cem")).toBeLessThanOrEqual(had.indexOf("ann") + 3)
    expect(had.indexOf("ann")).toBeLessThanOrEqual(5)
  }).pipe(Effect.provide(Meters.layer))
)
