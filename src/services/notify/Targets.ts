// The port of notification targets, with its in-memory layer: the receivers of events, and the position up to which
// each has received them. Their addresses are sealed at rest.
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AccountId } from "../../domain/Account.ts"
import type { Position } from "../../domain/Event.ts"
import {
  beginning,
  type Channel,
  MAX_TARGETS,
  type Progress,
  shownTo,
  type Target,
  type TargetDraft,
  TargetId,
  TargetNotFound,
  TooManyTargets
} from "../../domain/Target.ts"
import type { VaultLocked } from "../money/Vault.ts"
import * as ChangeSignal from "../records/ChangeSignal.ts"
import { MemoryState, nowSeconds } from "../records/MemoryState.ts"

/**
 * Notification targets, and how far each has come. A port.
 *
 * **An implementation keeps**
 *
 * - Scope: `create`, `list`, `get` and `remove` see the account's own; another account's target is `TargetNotFound`.
 *   `all` and `changed` are for the sender.
 * - Repeats: `save` changes nothing where the target is gone or was revived since it was read, so that a delivery under
 *   way cannot undo a revival.
 * - Bell: `changed` never misses what came, went or was revived after `all` was read.
 * - Secrets: only `unlock` returns what a channel holds. It is stored sealed to its place, owner and row; a target
 *   whose channel does not open is listed and removed like any other.
 * - Errors: `TooManyTargets` beyond `MAX_TARGETS` of an account.
 *
 * **Proved by** `TargetsContract` of `signalbox/testing`.
 *
 * @category Ports
 */
export class Targets extends Context.Tag("signalbox/services/notify/Targets")<
  Targets,
  {
    /** Creates a target for events after the position. */
    readonly create: (
      account: AccountId,
      draft: TargetDraft,
      from: Position
    ) => Effect.Effect<Target, TooManyTargets | VaultLocked>
    /** Lists the caller's own, by creation. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Target>>
    /** Returns the caller's own target. */
    readonly get: (account: AccountId, id: number) => Effect.Effect<Target, TargetNotFound>
    readonly remove: (account: AccountId, id: number) => Effect.Effect<void, TargetNotFound>
    /** Returns a target's addresses and secrets: for the sender. */
    readonly unlock: (id: TargetId) => Effect.Effect<Channel, TargetNotFound | VaultLocked>
    /** The targets of every account: for the sender and the operator. */
    readonly all: Effect.Effect<ReadonlyArray<Target>>
    /** Waits until a target may have come, gone or been revived since `all` was read. There is one listener. */
    readonly changed: Effect.Effect<void>
    /** Stores a target's progress; changes nothing where the target is gone, or was revived since it was read. */
    readonly save: (target: Pick<Target, "id" | "revision">, progress: Progress) => Effect.Effect<void>
    /** Restarts a target with this progress, as a new revision. */
    readonly revive: (id: TargetId, progress: Progress) => Effect.Effect<void>
  }
>() {
  static readonly layerMemory = Layer.effect(
    Targets,
    Effect.gen(function* () {
      const state = yield* MemoryState
      const { targets } = state
      const channels = new Map<number, Channel>()
      const changes = ChangeSignal.ofChanges()
      const ownBy = (account: AccountId) => [...targets.values()].filter((it) => it.account === account)
      const own = (account: AccountId, id: number) =>
        Effect.suspend(() => {
          const target = targets.get(id)
          return target?.account === account ? Effect.succeed(target) : new TargetNotFound()
        })
      return Targets.of({
        create: Effect.fn("Targets.create")(function* (account, draft, from) {
          if (ownBy(account).length >= MAX_TARGETS) return yield* new TooManyTargets()
          const id = TargetId.make(state.nextId("targets"))
          const createdAt = yield* nowSeconds
          const { channel, kinds, name } = draft
          const shown = { name, kind: channel.kind, to: shownTo(channel), kinds }
          const target = { id, account, ...shown, createdAt, revision: 0, progress: beginning(from) }
          targets.set(id, target)
          channels.set(id, channel)
          changes.changed()
          return target
        }),
        list: Effect.fn("Targets.list")((account) => Effect.sync(() => ownBy(account))),
        get: Effect.fn("Targets.get")(own),
        remove: Effect.fn("Targets.remove")((account, id) =>
          Effect.map(own(account, id), (target) => {
            targets.delete(target.id)
            channels.delete(target.id)
            changes.changed()
          })
        ),
        unlock: Effect.fn("Targets.unlock")((id) =>
          Effect.suspend(() => {
            const channel = channels.get(id)
            return channel === undefined ? new TargetNotFound() : Effect.succeed(channel)
          })
        ),
        all: Effect.sync(() => {
          changes.reading()
          return [...targets.values()]
        }),
        changed: changes.rings,
        save: Effect.fn("Targets.save")(({ id, revision }, progress) =>
          Effect.sync(() => {
            const target = targets.get(id)
            if (target?.revision === revision) targets.set(id, { ...target, progress })
          })
        ),
        revive: Effect.fn("Targets.revive")((id, progress) =>
          Effect.sync(() => {
            const target = targets.get(id)
            if (target === undefined) return
            targets.set(id, { ...target, revision: target.revision + 1, progress })
            changes.changed()
          })
        )
      })
    })
  )
}
