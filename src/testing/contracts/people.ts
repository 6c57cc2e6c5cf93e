// Accounts with tokens, two people with a strategy each, and who follows a signal, for the contract suites.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Identity } from "../../domain/Account.ts"
import { partitions } from "../../domain/Partition.ts"
import type { SignalId } from "../../domain/Signal.ts"
import { Accounts } from "../../services/Accounts.ts"
import { Halts } from "../../services/money/Halts.ts"
import { Portfolio } from "../../services/Portfolio.ts"
import { StrategyStore } from "../../services/StrategyStore.ts"
import { Timeline } from "../../services/Timeline.ts"
import { settings } from "../Fixtures.ts"

/** Somebody with a token, by the name of an account. */
export const sender = (name: string, scope: Identity["scope"] = "full") =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { secret } = yield* accounts.issue(name, scope, Option.none())
    return yield* Effect.flatten(accounts.authenticate(Redacted.value(secret)))
  })

/** All partitions, as one set for all calls: for another set a store reads anew, whatever it keeps. */
export const ALL = new Set(partitions)

/** The strategies of every account that follow a signal now. */
export const followersOf = (signal: SignalId) =>
  Effect.gen(function* () {
    const store = yield* StrategyStore
    const found = yield* store.followings([signal], ALL)
    return (found.get(signal) ?? []).flatMap(({ strategy, until }) => (until === undefined ? [strategy] : []))
  })

/** Alice's strategy, Bob's, and the ports that a portfolio's commits are read through. */
export const twoOwners = Effect.gen(function* () {
  const store = yield* StrategyStore
  const alice = yield* sender("alice")
  const bob = yield* sender("bob")
  return {
    portfolio: yield* Portfolio,
    halts: yield* Halts,
    timeline: yield* Timeline,
    mine: yield* store.create(alice.account, settings()),
    theirs: yield* store.create(bob.account, settings())
  }
})
