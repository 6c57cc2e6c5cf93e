// The contract of `ExchangeAccounts`: accounts belong to their owner, only `unlock` returns keys, and no id is
// reused.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import type { Credentials } from "../../../domain/ExchangeAccount.ts"
import type { Accounts } from "../../../services/Accounts.ts"
import {
  ExchangeAccounts,
  MAX_EXCHANGE_ACCOUNTS,
  type NewExchangeAccount
} from "../../../services/ExchangeAccounts.ts"
import * as Contract from "../../Contract.ts"
import { expect } from "../../expect.ts"
import { pass } from "../../VirtualClock.ts"
import { sender } from "../people.ts"

const keys = (word: string, password?: string): Credentials => ({
  apiKey: Redacted.make(`${word} key`),
  secret: Redacted.make(`${word} secret\nof two lines`),
  ...(password === undefined ? {} : { password: Redacted.make(password) })
})
const draft: NewExchangeAccount = {
  name: "main",
  exchange: "binance",
  sandbox: false,
  credentials: keys("first")
}

/** Keys come back exactly as stored. An implementer stores them where nobody can read them. */
export const suite = Contract.suite<ExchangeAccounts | Accounts>("ExchangeAccounts", (it) => {
  it("exchange accounts are listed for their owner, sorted by connection, and never show a key", () =>
    Effect.gen(function* () {
      const { accounts, alice, bob } = yield* scene
      yield* pass("7 seconds")
      const one = yield* accounts.add(alice, draft)
      const two = yield* accounts.add(alice, { ...draft, name: "Second.1", exchange: "okx", sandbox: true })
      const other = yield* accounts.add(bob, draft)
      expect(one).toEqual({
        id: one.id,
        account: alice,
        name: "main",
        exchange: "binance",
        sandbox: false,
        createdAt: 7,
        checkedAt: Option.none(),
        problem: Option.none()
      })
      expect(two).toMatchObject({ name: "Second.1", exchange: "okx", sandbox: true })
      expect(yield* accounts.list(alice)).toEqual([one, two])
      expect(yield* accounts.list(bob)).toEqual([other])
      expect(yield* accounts.get(alice, two.id)).toEqual(two)
      expect(JSON.stringify(yield* accounts.list(alice))).not.toContain("first")
    }))

  it("another owner's account and a missing one give the same error, and nothing changes", () =>
    Effect.gen(function* () {
      const { accounts, alice, bob } = yield* scene
      const mine = yield* accounts.add(alice, draft)
      for (const id of [mine.id, ExchangeAccountId.make(99), ExchangeAccountId.make(2 ** 53 - 1)]) {
        const failures = yield* Effect.all([
          Effect.flip(accounts.get(bob, id)),
          Effect.flip(accounts.remove(bob, id)),
          Effect.flip(accounts.rekey(bob, id, keys("other")))
        ])
        expect(failures.map(({ _tag }) => _tag)).toEqual(failures.map(() => "ExchangeAccountNotFound"))
        yield* accounts.checked(bob, id, Option.some("not yours"))
      }
      expect(yield* accounts.list(alice)).toEqual([mine])
      expect(yield* opened(accounts, mine.id)).toEqual(["first key", "first secret\nof two lines", undefined])
    }))

  it("each account's keys are unlocked exactly as they were stored", () =>
    Effect.gen(function* () {
      const { accounts, alice, bob } = yield* scene
      const one = yield* accounts.add(alice, draft)
      const two = yield* accounts.add(bob, { ...draft, exchange: "kucoin", credentials: keys("b", "pass ü") })
      expect(yield* opened(accounts, one.id)).toEqual(["first key", "first secret\nof two lines", undefined])
      expect(yield* opened(accounts, two.id)).toEqual(["b key", "b secret\nof two lines", "pass ü"])
      const unlocked = yield* accounts.unlock(two.id)
      expect(unlocked.account).toEqual(two)
      expect(`${JSON.stringify(unlocked)}${String(unlocked.credentials.secret)}`).not.toContain("b secret")
      expect((yield* Effect.flip(accounts.unlock(ExchangeAccountId.make(99))))._tag).toBe(
        "ExchangeAccountNotFound"
      )
    }))

  it("new keys replace an account's old ones", () =>
    Effect.gen(function* () {
      const { accounts, alice } = yield* scene
      const one = yield* accounts.add(alice, { ...draft, exchange: "okx", credentials: keys("a", "p") })
      yield* accounts.rekey(alice, one.id, keys("fresh", "q"))
      expect(yield* opened(accounts, one.id)).toEqual(["fresh key", "fresh secret\nof two lines", "q"])
      expect(yield* accounts.list(alice)).toEqual([one])
    }))

  it("an owner uses each name once, compared letter by letter", () =>
    Effect.gen(function* () {
      const { accounts, alice, bob } = yield* scene
      const one = yield* accounts.add(alice, draft)
      const taken = yield* Effect.flip(accounts.add(alice, { ...draft, exchange: "okx" }))
      expect(taken._tag).toBe("ExchangeAccountNameTaken")
      expect(taken.message).toContain("main")
      yield* accounts.add(alice, { ...draft, name: "Main" })
      yield* accounts.add(bob, draft)
      yield* accounts.remove(alice, one.id)
      yield* accounts.add(alice, draft)
      expect((yield* accounts.list(alice)).map(({ name }) => name)).toEqual(["Main", "main"])
    }))

  it("a removed account is gone with its keys, and its id is never used again", () =>
    Effect.gen(function* () {
      const { accounts, alice } = yield* scene
      const one = yield* accounts.add(alice, draft)
      yield* accounts.remove(alice, one.id)
      expect((yield* Effect.flip(accounts.unlock(one.id)))._tag).toBe("ExchangeAccountNotFound")
      expect((yield* Effect.flip(accounts.remove(alice, one.id)))._tag).toBe("ExchangeAccountNotFound")
      expect((yield* accounts.add(alice, draft)).id).toBeGreaterThan(one.id)
    }))

  it("the result of a check is stored, with its time", () =>
    Effect.gen(function* () {
      const { accounts, alice } = yield* scene
      const one = yield* accounts.add(alice, draft)
      yield* pass("3 seconds")
      yield* accounts.checked(alice, one.id, Option.some("it does not know the key"))
      expect(yield* accounts.get(alice, one.id)).toEqual({
        ...one,
        checkedAt: Option.some(3),
        problem: Option.some("it does not know the key")
      })
      yield* pass("2 seconds")
      yield* accounts.checked(alice, one.id, Option.none())
      expect(yield* accounts.get(alice, one.id)).toEqual({ ...one, checkedAt: Option.some(5) })
    }))

  it("each owner is limited in exchange accounts", () =>
    Effect.gen(function* () {
      const { accounts, alice, bob } = yield* scene
      for (let count = 0; count < MAX_EXCHANGE_ACCOUNTS; count++)
        yield* accounts.add(alice, { ...draft, name: `a${count}` })
      expect((yield* Effect.flip(accounts.add(alice, draft)))._tag).toBe("TooManyExchangeAccounts")
      yield* accounts.add(bob, draft)
    }))
})

const scene = Effect.gen(function* () {
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return { accounts: yield* ExchangeAccounts, alice: alice.account, bob: bob.account }
})

const opened = (accounts: typeof ExchangeAccounts.Service, id: ExchangeAccountId) =>
  Effect.map(accounts.unlock(id), ({ credentials: { apiKey, password, secret } }) => [
    Redacted.value(apiKey),
    Redacted.value(secret),
    password === undefined ? undefined : Redacted.value(password)
  ])
