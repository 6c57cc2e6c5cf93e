// The port of copies, with its in-memory layer: what each copy of a strategy was made of, and the news of its original.
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AccountId } from "../../domain/Account.ts"
import { type Copy, MAX_TOLD, NotACopy } from "../../domain/directory/Copy.ts"
import { differences } from "../../domain/directory/Differences.ts"
import { type Strategy, StrategyNotFound } from "../../domain/Strategy.ts"
import type { TimelineNote } from "../../domain/Timeline.ts"
import { MemoryState, note, type State } from "../records/MemoryState.ts"
import type { CopyRow } from "./MemoryListing.ts"

/**
 * The copies of strategies. A port; `StrategyStore.create` makes them, in the transaction that stores the strategy.
 *
 * **An implementation keeps**
 *
 * - Scope: an account's own copies. A copy goes with its strategy, and stays when its original goes.
 * - News: each change of how an original trades is told once to the owner of each copy that may read the original, on
 *   the copy's timeline: at most `MAX_TOLD` times from one sync to the next. A change that was undone before it was
 *   told, and one while the original is private, is told to nobody.
 * - Durability: `tell` goes on after a restart where it stopped, and tells nobody twice.
 * - Bounds: one call of `tell` looks at no more than `limit` copies.
 *
 * **Proved by** `CopiesContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Copies extends Context.Tag("signalbox/services/directory/Copies")<
  Copies,
  {
    /** Reads one of the account's own copies. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<Copy, StrategyNotFound | NotACopy>
    /** Stores what a sync took over. From then on the owner is told of changes again. */
    readonly taken: (account: AccountId, id: number, taken: Omit<Copy, "origin">) => Effect.Effect<void>
    /** Tells the owners of copies what changed; returns whether there may be more to tell. */
    readonly tell: (limit: number) => Effect.Effect<boolean>
    /** Waits until an original may have changed since `tell` returned false. There is one listener. */
    readonly changed: Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Copies,
    Effect.map(MemoryState, (state) =>
      Copies.of({
        get: Effect.fn("Copies.get")((account, id) =>
          Effect.suspend((): Effect.Effect<Copy, StrategyNotFound | NotACopy> => {
            if (state.strategies.get(id)?.account !== account) return new StrategyNotFound()
            const row = state.copies.get(id)
            if (row === undefined) return new NotACopy()
            const { base, kept, origin, takenAt } = row
            return Effect.succeed({ base, kept, origin, takenAt })
          })
        ),
        taken: Effect.fn("Copies.taken")((account, id, taken) =>
          Effect.sync(() => {
            const row = state.copies.get(id)
            if (row !== undefined && state.strategies.get(id)?.account === account)
              state.copies.set(id, { ...row, ...taken, reports: 0 })
          })
        ),
        tell: Effect.fn("Copies.tell")(function* (limit) {
          const now = yield* Clock.currentTimeMillis
          state.originalChanges.reading()
          let left = limit
          for (const [id, row] of state.copies) {
            const changes = state.listings.get(row.origin)?.changes ?? row.reported
            if (changes <= row.reported) continue
            if (left-- === 0) return true
            const copy = state.strategies.get(id)
            if (copy !== undefined) state.copies.set(id, tellOne(state, { copy, row, now, changes }))
          }
          return false
        }),
        changed: state.originalChanges.rings
      })
    )
  )
}

interface News {
  readonly copy: Strategy
  readonly row: CopyRow
  readonly changes: number
  readonly now: number
}

const tellOne = (state: State, { changes, copy, now, row }: News): CopyRow => {
  const original = state.strategies.get(row.origin)
  const news =
    original === undefined || row.reports >= MAX_TOLD ? undefined : newsOf(copy, row, original, now)
  if (news === undefined) return { ...row, reported: changes }
  note(state, copy.account, copy.id, news)
  return { ...row, reported: changes, reports: row.reports + 1 }
}

/**
 * The note on a copy's timeline that its original changed; undefined where the copy's owner may not read the original, or
 * where nothing differs from what was taken over. `at` in ms.
 */
export const newsOf = (
  { account }: Pick<Strategy, "account">,
  { base }: Pick<Copy, "base">,
  original: Strategy,
  at: number
): TimelineNote | undefined => {
  if (original.account !== account && !original.settings.public) return undefined
  const fields = differences(base, original.settings).map(({ request }) => request)
  if (fields.length === 0) return undefined
  const named = fields.slice(0, MAX_NAMED).join(", ")
  const others = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : ""
  return {
    at,
    rule: "original_changed",
    alertId: Option.none(),
    reason: Option.none(),
    text: `The strategy that this one was copied from has changed: ${named}${others}. A sync takes it over.`,
    facts: { copied_from: original.id, changed: named }
  }
}

/** The most fields that a note names. */
const MAX_NAMED = 10
