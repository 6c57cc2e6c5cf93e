// A port by `typed`: all members of every port in memory are there, and a storage that fails is an error of each.
import { describe, expect, test } from "bun:test"
import { Context, Effect, ManagedRuntime, Predicate } from "effect"
import * as Memory from "../../src/Memory.ts"
import { StorageUnavailable, typed } from "../../src/services/records/StorageUnavailable.ts"

const runtime = ManagedRuntime.make(Memory.layer())
const { context } = await runtime.runtime()
await runtime.dispose()

const failing = Effect.die(new StorageUnavailable({ reason: "the disk is full" }))
const ports = [...context.unsafeMap].filter(
  (entry): entry is [string, object] =>
    entry[0].startsWith("signalbox/services/") && Predicate.isObject(entry[1])
)
const membersOf = (service: object): ReadonlyArray<string> => Reflect.ownKeys(service).map(String)

test("the ports in memory are all tried", () => {
  expect(ports.length).toBeGreaterThan(30)
})

describe.each(ports)("typed(%s)", (key, service) => {
  const port = Context.GenericTag<object>(key)
  const view = (of: object) => Effect.runSync(Effect.provideService(typed(port), port, of))

  test("keeps every member", () => {
    for (const name of membersOf(service)) {
      const [kept, member] = [Reflect.get(view(service), name), Reflect.get(service, name)]
      expect([name, typeof kept]).toEqual([name, typeof member])
      expect([name, Effect.isEffect(kept)]).toEqual([name, Effect.isEffect(member)])
    }
  })

  test("fails with StorageUnavailable where an effect of the port dies with it", async () => {
    const broken = Object.fromEntries(
      membersOf(service).map((name) => {
        const member: unknown = Reflect.get(service, name)
        if (Effect.isEffect(member)) return [name, failing]
        return [name, typeof member === "function" ? () => failing : member]
      })
    )
    for (const name of membersOf(broken)) {
      const member: unknown = Reflect.get(view(broken), name)
      const result: unknown = typeof member === "function" ? Reflect.apply(member, undefined, []) : member
      if (!Effect.isEffect(result)) continue
      expect([name, await Effect.runPromise(Effect.flip(Effect.asVoid(needless(result))))]).toMatchObject([
        name,
        { _tag: "StorageUnavailable" }
      ])
    }
  })
})

/** The effects of a broken port need nothing. */
const needless = (self: Effect.Effect<unknown, unknown, unknown>) =>
  Effect.provide(self, Context.unsafeMake<unknown>(new Map()))
