import { expect } from "bun:test"
import { Effect } from "effect"
import { Idempotency } from "../../src/services/Idempotency.ts"
import { Signals } from "../../src/services/Signals.ts"
import { layer } from "../lib/effect.ts"
import { aSignal, onTemporaryFile, sender } from "../services/ports.ts"

const it = layer(onTemporaryFile)

it.effect("a failed request's writes are undone", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const signals = yield* Signals
    const half = Effect.zipRight(signals.create(account, aSignal()), Effect.fail("no"))
    const idempotency = yield* Idempotency
    expect(yield* Effect.flip(idempotency.once(account, "k", "request", half))).toBe("no")
    const died = Effect.zipRight(signals.create(account, aSignal()), Effect.die("bug"))
    yield* Effect.exit(idempotency.once(account, "k", "request", died))
    expect(yield* signals.list(account, {})).toEqual([])
  })
)

it.effect("a caught failure in a nested transaction undoes only its own writes", () =>
  Effect.gen(function* () {
    const { account } = yield* sender("alice")
    const signals = yield* Signals
    const idempotency = yield* Idempotency
    const answer = Effect.gen(function* () {
      const { id } = yield* signals.create(account, aSignal({ name: "kept" }))
      yield* Effect.flip(signals.update(account, 99, {}))
      return { status: 201, location: `/v1/signals/${id}`, body: "" }
    })
    yield* idempotency.once(account, "k", "request", answer)
    expect((yield* signals.list(account, {})).map(({ name }) => name)).toEqual(["kept"])
  })
)
