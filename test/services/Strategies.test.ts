// The use case of strategies: strict with programs in this process, lenient with bodies that came over HTTP.
import { describe, expect } from "bun:test"
import { Effect } from "effect"
import * as Memory from "../../src/Memory.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { layer } from "../lib/effect.ts"
import { sender } from "./ports.ts"

const it = layer(Memory.layer())
/** The compiler does not look for unknown fields in what is spread. */
const MISSPELT = { stop_los: true, stop_loss_percentage: 5 }
const REFUSED = {
  _tag: "Violations",
  errors: { stop_los: ["no strategy has this field: did you mean stop_loss?"] }
}

describe("a misspelt stop loss", () => {
  it.effect("makes no strategy in this process", () =>
    Effect.gen(function* () {
      const strategies = yield* Strategies
      const { account } = yield* sender("ann")
      const refused = yield* Effect.flip(strategies.create(account, { ...strategyRequest(), ...MISSPELT }))
      expect(refused).toMatchObject(REFUSED)
      expect(yield* strategies.list(account, {})).toEqual([])
    })
  )

  it.effect("changes no strategy in this process", () =>
    Effect.gen(function* () {
      const strategies = yield* Strategies
      const { account } = yield* sender("ann")
      const before = yield* strategies.create(account, strategyRequest())
      const patch = { ...MISSPELT, name: "Other" }
      expect(yield* Effect.flip(strategies.update(account, before.strategy_id, patch))).toMatchObject(REFUSED)
      expect(yield* strategies.get(account, before.strategy_id)).toEqual(before)
    })
  )

  it.effect("is ignored in a body that came over HTTP", () =>
    Effect.gen(function* () {
      const strategies = yield* Strategies
      const { account } = yield* sender("ann")
      const made = yield* strategies.post(account, { ...strategyRequest(), ...MISSPELT })
      expect(made).toMatchObject({ stop_loss_enabled: false, stop_loss_percent: null })
      const body = { stop_los: true, name: "Other" }
      expect((yield* strategies.put(account, made.strategy_id, body)).name).toBe("Other")
    })
  )
})
