// The strategies that follow a signal, by account, as they were when an alert was stored.
import type { AccountId } from "../../../domain/Account.ts"
import type { AlertId } from "../../../domain/Alert.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import type { StrategyId } from "../../../domain/StrategyId.ts"
import { type Following, followed } from "../../StrategyStore.ts"

export type ByAccount = ReadonlyMap<AccountId, AccountFollowers>

/** The followings of one signal by strategies of one account. */
class AccountFollowers {
  readonly #followings: ReadonlyArray<Following>
  readonly #strategies: ReadonlyArray<Strategy>
  /** The alert id from which on all of them follow; infinite where one has stopped. */
  readonly #settledAt: number

  constructor(followings: ReadonlyArray<Following>) {
    this.#followings = followings
    this.#strategies = followings.map(({ strategy }) => strategy)
    const isOver = followings.some(({ until }) => until !== undefined)
    this.#settledAt = isOver ? Number.POSITIVE_INFINITY : Math.max(...followings.map(({ from }) => from))
  }

  /** The strategies that followed when an alert was stored: mostly all of them, and then the list is ready. */
  at(alert: AlertId): ReadonlyArray<Strategy> {
    if (alert > this.#settledAt) return this.#strategies
    return this.#followings.filter((it) => followed(it, alert)).map(({ strategy }) => strategy)
  }
}

/** Groups followings by account, cached by their list, which is never changed. */
export const byAccount = (followings: ReadonlyArray<Following>): ByAccount => {
  const known = grouped.get(followings)
  if (known !== undefined) return known
  const all = new Map<AccountId, Array<Following>>()
  for (const following of followings) {
    const { account } = following.strategy
    const own = all.get(account)
    if (own === undefined) all.set(account, [following])
    else own.push(following)
  }
  const made = new Map(Array.from(all, ([account, own]) => [account, new AccountFollowers(own)]))
  grouped.set(followings, made)
  return made
}

const grouped = new WeakMap<ReadonlyArray<Following>, ByAccount>()

/** Leaves out the strategies that have judged the alert already. */
export const without = (
  strategies: ReadonlyArray<Strategy>,
  judged: ReadonlySet<StrategyId> | undefined
): ReadonlyArray<Strategy> =>
  judged === undefined ? strategies : strategies.filter(({ id }) => !judged.has(id))
