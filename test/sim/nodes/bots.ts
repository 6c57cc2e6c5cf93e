// The bots of all nodes as one of them reaches them: whoever owns an account's partition answers, under its lease.
import { Effect } from "effect"
import { NotOwner } from "../../../src/cluster/BotsRpcs.ts"
import { changing, type Owner, reading } from "../../../src/cluster/Ownership.ts"
import type { AccountId } from "../../../src/domain/Account.ts"
import { Bots } from "../../../src/services/Bots.ts"
import { StorageUnavailable } from "../../../src/services/records/StorageUnavailable.ts"

type Service = typeof Bots.Service

/** The bots of a node, and what tells whether it owns them. */
export interface Served {
  readonly bots: Service
  readonly owner: Owner
}

/** Has the owner of an account do something: this node itself, or another one on its way. */
export type Ask = <A, E>(
  account: AccountId,
  work: (served: Served) => Effect.Effect<A, E | NotOwner>
) => Effect.Effect<A, E | NotOwner>

const isNotOwner = (error: unknown): error is NotOwner => error instanceof NotOwner
const away = Effect.die(new StorageUnavailable({ reason: "no node runs the bots of this account now" }))

/** What may be asked of any node. */
export const routed = (local: Service, ask: Ask): Service => {
  const change = <A, E>(account: AccountId, work: (bots: Service) => Effect.Effect<A, E>) =>
    asked(account, ({ bots, owner }) => changing(owner, account, work(bots)))
  const read = <A, E>(account: AccountId, work: (bots: Service) => Effect.Effect<A, E>) =>
    asked(account, ({ bots, owner }) => reading(owner, [account], work(bots)))
  const asked = <A, E>(
    account: AccountId,
    work: (served: Served) => Effect.Effect<A, E | NotOwner>
  ): Effect.Effect<A, E> => Effect.catchIf(ask(account, work), isNotOwner, () => away)
  return Bots.of({
    ...local,
    admit: (account, changes) => change(account, (bots) => bots.admit(account, changes)),
    end: (account, strategy) => change(account, (bots) => bots.end(account, strategy)),
    arm: (strategy, terms, twins) => change(strategy.account, (bots) => bots.arm(strategy, terms, twins)),
    disarm: (strategy, how) => change(strategy.account, (bots) => bots.disarm(strategy, how)),
    byHand: (strategy, order, request) =>
      change(strategy.account, (bots) => bots.byHand(strategy, order, request)),
    preview: (sender, instruction) => read(sender.account, (bots) => bots.preview(sender, instruction)),
    previewByHand: (strategy, order) => read(strategy.account, (bots) => bots.previewByHand(strategy, order)),
    stand: (strategy) => read(strategy.account, (bots) => bots.stand(strategy))
  })
}
