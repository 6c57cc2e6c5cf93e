// Which cohorts wait for past candles, and whose turn it is: a few at a time of each exchange, and one of each account, so
// that nobody's thousand rules keep another's waiting.
import type { AccountId } from "../../domain/Account.ts"
import type { ExchangeName } from "../../domain/Market.ts"
import type { Cohort } from "./Cohort.ts"

/** Cohorts of one exchange that load at a time. */
const MAX_RUNNING = 3

/** The queue. A cohort that runs already only catches up; those that begin come after all of these. */
export class Loads {
  readonly #waiting = new Set<Cohort>()
  readonly #running = new Map<Cohort, AccountId | undefined>()
  /** The number of the last turn of each account. */
  readonly #turns = new Map<AccountId, number>()
  #turn = 0

  get size(): number {
    return this.#waiting.size + this.#running.size
  }

  add(cohort: Cohort): void {
    if (!this.#running.has(cohort)) this.#waiting.add(cohort)
  }

  /** Takes the cohorts whose turn it is; each is to be `ended`. */
  take(): ReadonlyArray<Cohort> {
    const taken: Array<Cohort> = []
    for (const cohort of this.#fair()) {
      const account = accountOf(cohort)
      if (!this.#isFree(cohort.series.exchange, account)) continue
      this.#waiting.delete(cohort)
      this.#running.set(cohort, account)
      this.#turn++
      if (account !== undefined) this.#turns.set(account, this.#turn)
      taken.push(cohort)
    }
    return taken
  }

  ended(cohort: Cohort): void {
    this.#running.delete(cohort)
    if (this.size === 0) this.#turns.clear()
  }

  /** Cohorts that catch up first, then accounts by their last turn. */
  #fair(): ReadonlyArray<Cohort> {
    const rank = (cohort: Cohort): number => {
      const account = accountOf(cohort)
      return account === undefined || cohort.known !== undefined ? -1 : (this.#turns.get(account) ?? 0)
    }
    return [...this.#waiting]
      .map((cohort) => ({ cohort, rank: rank(cohort) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ cohort }) => cohort)
  }

  #isFree(exchange: ExchangeName, account: AccountId | undefined): boolean {
    const running = [...this.#running].filter(([{ series }]) => series.exchange === exchange)
    return running.length < MAX_RUNNING && !running.some(([, other]) => other === account)
  }
}

const accountOf = ({ rules }: Cohort): AccountId | undefined => rules[0]?.account
