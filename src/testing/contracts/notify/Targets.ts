// The contract of `Targets`: where an account's notifications go, and the progress of each.
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { beginning, MAX_TARGETS, type TargetDraft } from "../../../domain/Target.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import { Targets } from "../../../services/notify/Targets.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { sender } from "../people.ts"

const HERE = { entry: 3, alert: 4 }
const draft: TargetDraft = {
  name: "Phone",
  channel: { kind: "ntfy", url: "https://ntfy.example/topic", token: "tk" },
  kinds: ["closed", "stop_loss"]
}

/** An implementer never lets a delivery in flight undo a revival. */
export const suite = Contract.suite<Targets | Accounts>("Targets", (it) => {
  it("targets belong to their account, start at the given position, and stay as created", () =>
    Effect.gen(function* () {
      const { alice, bob, targets } = yield* scene
      const one = yield* targets.create(alice, draft, HERE)
      const two = yield* targets.create(
        alice,
        { ...draft, channel: { kind: "discord", url: "https://d.example" } },
        HERE
      )
      yield* targets.create(bob, draft, HERE)
      const { channel, ...shown } = draft
      expect(one).toEqual({
        ...{ id: one.id, account: alice, ...shown, createdAt: one.createdAt, revision: 0 },
        ...{ kind: channel.kind, to: "https://ntfy.example/...", progress: beginning(HERE) }
      })
      expect(yield* targets.list(alice)).toEqual([one, two])
      expect(yield* targets.get(alice, one.id)).toEqual(one)
      for (const id of [99, 3, -1, 2 ** 53]) {
        expect((yield* Effect.flip(targets.get(alice, id)))._tag).toBe("TargetNotFound")
        expect((yield* Effect.flip(targets.remove(alice, id)))._tag).toBe("TargetNotFound")
      }
      expect((yield* targets.all).length).toBe(3)
      yield* targets.remove(alice, one.id)
      expect(yield* targets.list(alice)).toEqual([two])
      expect((yield* targets.create(alice, draft, HERE)).id).toBeGreaterThan(3)
    }))

  it("a target's secrets are unlocked for the sender, and shown to nobody else", () =>
    Effect.gen(function* () {
      const { alice, bob, targets } = yield* scene
      const channels: ReadonlyArray<TargetDraft["channel"]> = [
        draft.channel,
        { kind: "webhook", url: "https://w.example/hooked?key=hidden", secret: "whsec_hidden" },
        { kind: "telegram", token: "1:hidden", chat: "-100" },
        { kind: "discord", url: "https://d.example/hidden" }
      ]
      for (const channel of channels) {
        const target = yield* targets.create(alice, { ...draft, channel }, HERE)
        expect(yield* targets.unlock(target.id)).toEqual(channel)
        yield* targets.revive(target.id, { ...target.progress, failures: 1 })
        expect(yield* targets.unlock(target.id)).toEqual(channel)
      }
      const shown = [yield* targets.list(alice), yield* targets.all, yield* targets.list(bob)]
      for (const secret of ["hidden", "topic", "tk"]) expect(JSON.stringify(shown)).not.toContain(secret)
      expect((yield* targets.list(alice)).map(({ kind, to }) => `${kind} ${to}`)).toEqual([
        "ntfy https://ntfy.example/...",
        "webhook https://w.example/...",
        "telegram chat -100",
        "discord https://d.example/..."
      ])
      const [first] = yield* targets.list(alice)
      if (first === undefined) return yield* Effect.dieMessage("one was made")
      yield* targets.remove(alice, first.id)
      expect((yield* Effect.flip(targets.unlock(first.id)))._tag).toBe("TargetNotFound")
    }))

  it("each account is limited in its targets by itself", () =>
    Effect.gen(function* () {
      const { alice, bob, targets } = yield* scene
      for (let count = 0; count < MAX_TARGETS; count++) yield* targets.create(alice, draft, HERE)
      expect((yield* Effect.flip(targets.create(alice, draft, HERE)))._tag).toBe("TooManyTargets")
      yield* targets.create(bob, draft, HERE)
    }))

  it("progress is saved, unless the target was revived or removed meanwhile", () =>
    Effect.gen(function* () {
      const { alice, targets } = yield* scene
      const target = yield* targets.create(alice, draft, HERE)
      const later = { ...target.progress, position: { entry: 9, alert: 9 }, failures: 2, lastFailure: "no" }
      yield* targets.save(target, later)
      expect((yield* targets.get(alice, target.id)).progress).toEqual(later)
      const anew = { ...later, failures: 0 }
      yield* targets.revive(target.id, anew)
      yield* targets.save(target, { ...later, failures: 7 })
      expect(yield* targets.get(alice, target.id)).toMatchObject({ progress: anew, revision: 1 })
      yield* targets.remove(alice, target.id)
      yield* targets.save(target, later)
      yield* targets.revive(target.id, later)
      expect(yield* targets.list(alice)).toEqual([])
    }))

  it("a listener learns that a target was created, revived or removed", () =>
    Effect.gen(function* () {
      const { alice, targets } = yield* scene
      const heard = <A, E>(change: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          yield* targets.all
          const listening = yield* Effect.fork(targets.changed)
          yield* Effect.yieldNow()
          const made = yield* change
          yield* Fiber.join(listening)
          return made
        })
      const target = yield* heard(targets.create(alice, draft, HERE))
      yield* heard(targets.revive(target.id, target.progress))
      yield* heard(targets.remove(alice, target.id))
    }))
})

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return { targets: yield* Targets, alice: alice.account, bob: bob.account }
})
