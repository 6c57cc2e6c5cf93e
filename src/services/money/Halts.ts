// The port of halts, with its in-memory layer. A halt stops entries of an account, or of everybody, until it is ended;
// each has at most one.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import type { Halt, HaltCause } from "../../domain/Halt.ts"
import { MemoryState } from "../records/MemoryState.ts"

/** The scope of a halt: an account, or everybody (none). */
export type Whose = Option.Option<AccountId>

/**
 * The halts in force. A port; halts by a daily loss are written by the Portfolio, in the commit of the loss.
 *
 * **An implementation keeps**
 *
 * - Repeats: a second halt keeps the first; ending an ended halt is harmless.
 * - Scope: an account's halt binds nobody else; everybody's binds all, and ends only for all.
 * - Freshness: `all` shows what a commit stored from the moment it ends, and what another process did within 100 ms.
 *
 * **Proved by** `HaltsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Halts extends Context.Tag("signalbox/services/money/Halts")<
  Halts,
  {
    /** All halts in force, everybody's first, then by account. Cached: it is read at every price. */
    readonly all: Effect.Effect<ReadonlyArray<Halt>>
    /** Halts from now on; returns the halt in force, which may be an earlier one. */
    readonly halt: (whose: Whose, cause: HaltCause, text: string) => Effect.Effect<Halt>
    /** Ends a halt; false where there was none. */
    readonly resume: (whose: Whose) => Effect.Effect<boolean>
    /** Waits for the next change, also by another process. */
    readonly changed: Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Halts,
    Effect.map(MemoryState, ({ haltChanges, halts }) => ({
      all: Effect.sync(() => {
        haltChanges.reading()
        return inOrder(halts.values())
      }),
      halt: Effect.fn("Halts.halt")(function* (account, cause, text) {
        const key = keyOf(account)
        const known = halts.get(key)
        if (known !== undefined) return known
        const halt: Halt = { account, at: yield* Clock.currentTimeMillis, cause, text }
        halts.set(key, halt)
        haltChanges.changed()
        return halt
      }),
      resume: Effect.fn("Halts.resume")((whose) =>
        Effect.sync(() => {
          const was = halts.delete(keyOf(whose))
          if (was) haltChanges.changed()
          return was
        })
      ),
      changed: haltChanges.rings
    }))
  )
}

/** The key of a halt: the account's id, or 0 for everybody. */
export const keyOf = (whose: Whose): number => Option.getOrElse(whose, () => 0)

/** Everybody's first, then by account. */
export const inOrder = (halts: Iterable<Halt>): ReadonlyArray<Halt> =>
  [...halts].sort((one, other) => keyOf(one.account) - keyOf(other.account))

/** The halt that binds an account: everybody's before its own. */
export const bindingOn = (halts: ReadonlyArray<Halt>, account: AccountId): Option.Option<Halt> =>
  Option.fromNullable(halts.find((halt) => Option.isNone(halt.account) || halt.account.value === account))
