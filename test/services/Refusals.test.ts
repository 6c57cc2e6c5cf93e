import { expect } from "bun:test"
import { Effect } from "effect"
import { AccountId } from "../../src/domain/Account.ts"
import { MAX_OF_ACCOUNT, type Refusal, Refusals } from "../../src/services/health/Refusals.ts"
import { layer } from "../lib/effect.ts"

const { effect } = layer(Refusals.layer)
const ann = AccountId.make(1)
const DAY = 86_400_000

const refusal = (at: number, status = 422): Refusal => ({
  at,
  door: "charting",
  status,
  code: "invalid_request",
  message: "no",
  body: `body ${at}`
})

effect("the last refused requests of an account are kept newest first, and no other account sees them", () =>
  Effect.gen(function* () {
    const refusals = yield* Refusals
    for (let at = 1; at <= MAX_OF_ACCOUNT + 5; at++) refusals.add(ann, refusal(at))
    const kept = refusals.list(ann).map(({ at }) => at)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([MAX_OF_ACCOUNT, MAX_OF_ACCOUNT + 5, 6])
    expect(refusals.today(ann, DAY - 1)).toBe(MAX_OF_ACCOUNT + 5)
    expect(refusals.list(AccountId.make(2))).toEqual([])
    expect(refusals.today(AccountId.make(2), 1)).toBe(0)
  })
)

effect("a day of refusals begins at midnight UTC", () =>
  Effect.gen(function* () {
    const refusals = yield* Refusals
    refusals.add(ann, refusal(DAY - 1))
    refusals.add(ann, refusal(DAY - 1))
    expect([refusals.today(ann, DAY - 1), refusals.today(ann, DAY)]).toEqual([2, 0])
    refusals.add(ann, refusal(DAY))
    expect(refusals.today(ann, 2 * DAY - 1)).toBe(1)
  })
)

effect("a flood over the rate limit is counted, and replaces no other refusals", () =>
  Effect.gen(function* () {
    const refusals = yield* Refusals
    refusals.add(ann, refusal(1))
    for (let at = 0; at < 30_000; at++) refusals.add(ann, refusal(at, 429))
    expect(refusals.list(ann).map(({ status }) => status)).toEqual([429, 429, 429, 422])
    expect(refusals.today(ann, 1)).toBe(30_001)
  })
)

effect("the accounts whose refusals are oldest make room for others", () =>
  Effect.gen(function* () {
    const refusals = yield* Refusals
    const all = Array.from({ length: 3_000 }, (_, index) => AccountId.make(index + 1))
    for (const account of all) for (let at = 0; at < 15; at++) refusals.add(account, refusal(at))
    const kept = all.filter((account) => refusals.list(account).length > 0)
    expect(kept.length).toBeLessThanOrEqual(1_000)
    expect(kept.length).toBeGreaterThan(600)
    expect(kept.at(-1)).toBe(AccountId.make(3_000))
    expect(kept.reduce((sum, account) => sum + refusals.list(account).length, 0)).toBeLessThanOrEqual(10_000)
  })
)
