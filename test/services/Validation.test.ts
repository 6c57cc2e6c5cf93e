// An embedder's own validation rules: pure ones, and effects such as a question to a service.
import { describe, expect } from "bun:test"
import { Cause, Context, Deferred, Effect, Fiber, Layer, Option, Ref } from "effect"
import { violation } from "../../src/domain/requests/Violations.ts"
import * as Memory from "../../src/Memory.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import { Validation } from "../../src/services/Validation.ts"
import type { Proposal, Rule } from "../../src/trading/StrategyRules.ts"
import { it } from "../lib/effect.ts"
import * as Flow from "../lib/flow.ts"

/** A service of an embedder: the names that nobody may use. */
class Registry extends Context.Tag("Registry")<
  Registry,
  { readonly isTaken: (name: string) => Effect.Effect<boolean> }
>() {}

const nameOf = ({ reading }: Proposal) =>
  Option.match(reading.settings, { onNone: () => "", onSome: ({ name }) => name })

const freeName = Validation.effect((proposal) =>
  Effect.gen(function* () {
    const isTaken = yield* (yield* Registry).isTaken(nameOf(proposal))
    return isTaken ? [violation("name", "is taken")] : []
  })
)

const described: Rule = ({ reading }) =>
  Option.exists(reading.settings, ({ description }) => description === "")
    ? [violation("description", "must say something")]
    : []

const registry = Layer.succeed(Registry, {
  isTaken: (name) => Effect.delay(Effect.succeed(name === "Taken"), "1 millis")
})

const errors = (self: Effect.Effect<unknown, { readonly message: string }, Strategies>) =>
  Effect.map(Effect.flip(self), ({ message }) => message)

const create = (account: Flow.User["account"], changes: Flow.Body) =>
  Effect.flatMap(Strategies, (strategies) => strategies.create(account, Flow.request(changes)))

describe("a rule that is an effect", () => {
  it.live("binds creations and updates, and is reported with all other violations", () =>
    Effect.gen(function* () {
      const ann = yield* Flow.ann({ description: "mine" })
      const refused = yield* Effect.flip(create(ann.account, { name: "Taken", description: "" }))
      const all = JSON.stringify(refused)
      for (const text of ["must say something", "is taken"]) expect(all).toContain(text)
      expect(yield* errors(Flow.update(ann.account, ann.strategy, { name: "Taken" }))).toContain("is taken")
      const { list } = yield* Strategies
      expect((yield* list(ann.account, {})).map(({ name }) => name)).toEqual(["Swing"])
      const renamed = yield* Flow.update(ann.account, ann.strategy, { name: "Free" })
      expect(renamed.name).toBe("Free")
    }).pipe(Effect.provide(Layer.provide(Memory.layerWith(Validation.with(described, freeName)), registry)))
  )

  it.live("holds up its request only: bots trade while it waits", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const reached = yield* Deferred.make<void>()
      const waits = Validation.effect((proposal) =>
        nameOf(proposal) === "Slow"
          ? Effect.as(Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(open)), [])
          : Effect.succeed([])
      )
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        yield* Flow.quote(100)
        const updating = yield* Effect.fork(Flow.update(ann.account, ann.strategy, { name: "Slow" }))
        yield* Deferred.await(reached)
        const buy = yield* Flow.say(ann.identity, ann.signal, "buy")
        expect(yield* Flow.became(ann.account, buy)).toEqual(["opened"])
        yield* Deferred.succeed(open, undefined)
        expect((yield* Fiber.join(updating)).name).toBe("Slow")
      }).pipe(Effect.provide(Memory.layerWith(Validation.with(waits))))
    })
  )

  it.live("is run again where the strategy has changed meanwhile, so that it judges what is stored", () =>
    Effect.gen(function* () {
      const open = yield* Deferred.make<void>()
      const reached = yield* Deferred.make<void>()
      const names = yield* Ref.make<ReadonlyArray<string>>([])
      // Two fields that are allowed one by one, and not together.
      const apart = Validation.effect((proposal) =>
        Effect.gen(function* () {
          const { buyPercent, name } = Option.getOrThrow(proposal.reading.settings)
          yield* Ref.update(names, (known) => [...known, `${name} ${buyPercent}`])
          if (name === "Small")
            yield* Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(open))
          return name === "Small" && buyPercent > 50 ? [violation("buy_percentage", "is too much")] : []
        })
      )
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann({ buy_percentage: 10 })
        const small = yield* Effect.fork(Flow.update(ann.account, ann.strategy, { name: "Small" }))
        yield* Deferred.await(reached)
        yield* Flow.update(ann.account, ann.strategy, { buy_percentage: 90 })
        yield* Deferred.succeed(open, undefined)
        expect(yield* errors(Fiber.join(small))).toContain("is too much")
        expect(yield* Ref.get(names)).toEqual(["Swing 10", "Small 10", "Swing 90", "Small 90"])
        const { get } = yield* Strategies
        expect((yield* get(ann.account, ann.strategy)).name).toBe("Swing")
      }).pipe(Effect.provide(Memory.layerWith(Validation.with(apart))))
    })
  )

  it.live("that dies or throws fails its request, and nothing is stored", () =>
    Effect.gen(function* () {
      const dying = Validation.effect((proposal) => {
        if (nameOf(proposal) === "Throws") throw new Error("planted")
        return nameOf(proposal) === "Dies" ? Effect.dieMessage("planted") : Effect.succeed([])
      })
      yield* Effect.gen(function* () {
        const ann = yield* Flow.ann()
        for (const name of ["Throws", "Dies"]) {
          const made = yield* Effect.flip(Effect.sandbox(create(ann.account, { name })))
          expect(Cause.pretty(made)).toContain("planted")
          yield* Effect.flip(Effect.sandbox(Flow.update(ann.account, ann.strategy, { name })))
        }
        const { list } = yield* Strategies
        expect((yield* list(ann.account, {})).map(({ name }) => name)).toEqual(["Swing"])
        yield* Flow.update(ann.account, ann.strategy, { name: "Fine" })
      }).pipe(Effect.provide(Memory.layerWith(Validation.with(dying))))
    })
  )
})
