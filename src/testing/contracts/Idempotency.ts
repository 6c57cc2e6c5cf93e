// The contract of `Idempotency`: for a day, the same key with the same request acts once and gets the same response.

import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { Accounts } from "../../services/Accounts.ts"
import { Idempotency } from "../../services/Idempotency.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { Signals } from "../../services/Signals.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import * as Contract from "../Contract.ts"
import { expect } from "../expect.ts"
import { signalDraft as aSignal, settings } from "../Fixtures.ts"
import { pass } from "../VirtualClock.ts"
import { sender } from "./people.ts"
import { outcome, step } from "./steps.ts"

const given = { status: 201, location: "/v1/signals/1", body: '{"id":1,"name":"🚀"}' }

/** An implementer stores the response in the transaction of the act, and stores nothing if the act fails. */
export const suite = Contract.suite<Idempotency | Accounts | Portfolio | Signals | StrategyStore>(
  "Idempotency",
  (it) => {
    it("a key acts once, and later requests get the identical response", () =>
      Effect.gen(function* () {
        const { account, idempotency, acts, act } = yield* scene
        expect(yield* idempotency.once(account, "k", "request", act)).toEqual(given)
        yield* pass("86399 seconds")
        expect(yield* idempotency.once(account, "k", "request", act)).toEqual(given)
        expect(acts()).toBe(1)
        yield* pass("1 seconds")
        yield* idempotency.once(account, "k", "request", act)
        expect(acts()).toBe(2)
      }))

    it("a response without a location is repeated without one", () =>
      Effect.gen(function* () {
        const { account, idempotency } = yield* scene
        const answer = { status: 200, location: undefined, body: "" }
        const act = idempotency.once(account, "k", "request", Effect.succeed(answer))
        expect([yield* act, yield* act]).toEqual([answer, answer])
      }))

    it("a key with a different request is refused; other accounts and other keys are not", () =>
      Effect.gen(function* () {
        const { account, idempotency, acts, act } = yield* scene
        const other = yield* sender("bob")
        yield* idempotency.once(account, "k", "request", act)
        const error = yield* Effect.flip(idempotency.once(account, "k", "other", act))
        expect(error._tag).toBe("KeyReused")
        expect(acts()).toBe(1)
        yield* idempotency.once(other.account, "k", "other", act)
        yield* idempotency.once(account, "k2", "other", act)
        expect(acts()).toBe(3)
      }))

    it("of many simultaneous requests one acts, and all get its response", () =>
      Effect.gen(function* () {
        const { account, idempotency, acts, act } = yield* scene
        const answers = yield* Effect.all(
          Array.from({ length: 50 }, () => idempotency.once(account, "k", "request", act)),
          { concurrency: "unbounded" }
        )
        expect(answers).toEqual(Array.from({ length: 50 }, () => given))
        expect(acts()).toBe(1)
      }))

    it("a failure, a defect or an interruption stores nothing", () =>
      Effect.gen(function* () {
        const { account, idempotency, acts, act } = yield* scene
        expect(yield* Effect.flip(idempotency.once(account, "k", "request", Effect.fail("no")))).toBe("no")
        const died = yield* Effect.exit(idempotency.once(account, "k", "request", Effect.die("bug")))
        expect(Exit.isFailure(died)).toBe(true)
        const started = yield* Deferred.make<void>()
        const hanging = Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)
        const fiber = yield* Effect.fork(idempotency.once(account, "k", "request", hanging))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        expect(yield* idempotency.once(account, "k", "request", act)).toEqual(given)
        expect(acts()).toBe(1)
      }))

    it("a step's response is found under its key once the step is stored, and never without it", () =>
      Effect.gen(function* () {
        const { account, idempotency } = yield* scene
        const portfolio = yield* Portfolio
        const mine = yield* (yield* StrategyStore).create(account, settings())
        const found = idempotency.find(account, "k", "request")
        const response = {
          key: "k",
          request: "request",
          answer: { status: 200, location: undefined, body: "1" }
        }
        const now = yield* Clock.currentTimeMillis
        yield* portfolio.commit([step(mine, 1, { outcomes: [outcome(mine, 1)] })])
        const refused = step(mine, 2, { at: now, outcomes: [outcome(mine, 1)], response })
        expect(Exit.isFailure(yield* Effect.exit(portfolio.commit([refused])))).toBe(true)
        expect(yield* found).toEqual(Option.none())
        yield* portfolio.commit([step(mine, 2, { at: now, response })])
        expect(yield* found).toEqual(Option.some(response.answer))
        const last = { ...response.answer, body: "2" }
        yield* idempotency.amend(account, { ...response, request: "another", answer: last })
        expect(yield* found).toEqual(Option.some(response.answer))
        yield* idempotency.amend(account, { ...response, answer: last })
        expect(yield* found).toEqual(Option.some(last))
        const reused = yield* Effect.flip(idempotency.find(account, "k", "another"))
        expect(reused._tag).toBe("KeyReused")
        const replayed = yield* idempotency.once(account, "k", "request", Effect.die("acted twice"))
        expect(replayed).toEqual(last)
      }))

    it("a request's writes are stored when it is answered", () =>
      Effect.gen(function* () {
        const { account, idempotency } = yield* scene
        const signals = yield* Signals
        const create = Effect.map(signals.create(account, aSignal()), ({ id }) => ({
          status: 201,
          location: `/v1/signals/${id}`,
          body: ""
        }))
        const first = yield* idempotency.once(account, "k", "request", create)
        expect(yield* idempotency.once(account, "k", "request", create)).toEqual(first)
        expect((yield* signals.list(account, {})).map(({ id }) => `/v1/signals/${id}`)).toEqual([
          first.location ?? ""
        ])
      }))
  }
)

const scene = Effect.gen(function* () {
  const { account } = yield* sender("alice")
  let count = 0
  const act = Effect.sync(() => {
    count++
    return given
  })
  return { account, idempotency: yield* Idempotency, acts: () => count, act }
})
