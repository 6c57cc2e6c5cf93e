// Answers other nodes for the bots of the partitions that this node owns.
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import type { DurationInput } from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountId } from "../domain/Account.ts"
import type { Strategy } from "../domain/Strategy.ts"
import type { Arming } from "../services/Arming.ts"
import type { Bots } from "../services/Bots.ts"
import type { ManualForm } from "../services/engine/orders/ManualForms.ts"
import { StorageUnavailable } from "../services/records/StorageUnavailable.ts"
import { ARMING_LIMIT, BotsRpcs, LIMIT, type NotOwner } from "./BotsRpcs.ts"
import { changing, type Owner, reading } from "./Ownership.ts"
import { sent } from "./wire/Snapshots.ts"

/** The bots and the arming of this process, what tells whether it owns them, and the forms of answers by their names. */
export interface Served {
  readonly bots: typeof Bots.Service
  readonly arming: typeof Arming.Service
  readonly owner: Owner
  readonly forms: ReadonlyArray<ManualForm>
}

/** The procedures' handlers. */
export const handlers = ({ arming, bots, forms, owner }: Served) => {
  const read = <A, E>(accounts: Iterable<AccountId>, work: Effect.Effect<A, E>) =>
    response(reading(owner, accounts, work), LIMIT)
  const change = <A, E>(account: AccountId, work: Effect.Effect<A, E>) =>
    response(changing(owner, account, work), LIMIT)
  const slowly = <A, E>(account: AccountId, work: Effect.Effect<A, E>) =>
    response(changing(owner, account, work), ARMING_LIMIT)
  const of = ({ account }: Strategy) => [account]
  const formOf = (name: string) => {
    const form = forms.find((one) => one.name === name)
    return form === undefined
      ? Effect.dieMessage(`there is no form ${name} of answers`)
      : Effect.succeed(form)
  }
  return BotsRpcs.toLayer({
    admit: ({ account, changes }) => change(account, bots.admit(account, changes)),
    end: ({ account, strategy }) => change(account, bots.end(account, strategy)),
    preview: ({ instruction, sender }) => read([sender.account], bots.preview(sender, instruction)),
    standings: ({ strategies }) =>
      read(
        strategies.map(({ account }) => account),
        Effect.map(bots.standings(strategies), (found) =>
          Array.from(found, ([strategy, snapshot]) => sent(strategy, snapshot))
        )
      ),
    arm: ({ strategy, terms, twins }) => change(strategy.account, bots.arm(strategy, terms, twins)),
    disarm: ({ how, strategy }) => change(strategy.account, bots.disarm(strategy, how)),
    byHand: ({ order, request: { form, ...rest }, strategy }) =>
      change(
        strategy.account,
        Effect.flatMap(formOf(form), (found) => bots.byHand(strategy, order, { ...rest, form: found }))
      ),
    previewByHand: ({ order, strategy }) => read(of(strategy), bots.previewByHand(strategy, order)),
    stand: ({ strategy }) => read(of(strategy), bots.stand(strategy)),
    propose: ({ account, strategy, terms }) => slowly(account, arming.propose(account, strategy, terms)),
    confirm: ({ account, confirmation, strategy, terms }) =>
      slowly(account, Effect.asVoid(arming.arm(account, strategy, terms, confirmation))),
    caughtUp: ({ account }) => read([account], bots.caughtUp)
  })
}

/**
 * Ends with the caller's patience. Storage that is away is told to the other node as what it is: there too it is a defect
 * that passes.
 */
const response = <A, E>(
  self: Effect.Effect<A, E | NotOwner>,
  limit: DurationInput
): Effect.Effect<A, E | NotOwner | StorageUnavailable> =>
  self.pipe(
    Effect.timeoutFailCause({
      duration: limit,
      onTimeout: () => Cause.die(new StorageUnavailable({ reason: "the node was too slow" }))
    }),
    Effect.catchSomeCause((cause) =>
      Option.map(
        Chunk.findFirst(Cause.defects(cause), (defect) => defect instanceof StorageUnavailable),
        (defect) => Effect.fail(defect)
      )
    )
  )
