// Which cohorts wait for past candles, and whose turn it is: a few at a time of each exchange, and one of each account, so
// that nobody's thousand rules keep another's waiting.
import type { AccountId } from "../../domain/Account.ts"
import type { Cohort } from "./Cohort.ts"

/** Cohorts of one exchange that begin at a time, and that catch up: those work already, and fetch little. */
const MAX_BEGINNING = 3
const MAX_CATCHING_UP = 8

/** A cohort that loads: for whom, and whether it begins. */
interface Running {
  readonly account: AccountId | undefined
  readonly isBeginning: boolean
}

/** The queue. A cohort that runs already only catches up; those that begin come after all of these. */
export class Loads {
  readonly #waiting = new Set<Cohort>()
  readonly #running = new Map<Cohort, Running>()
  /** Cohorts that were added while they ran. */
  readonly #again = new Set<Cohort>()
  /** The number of the last turn of each account. */
  readonly #turns = new Map<AccountId, number>()
  #turn = 0

  get size(): number {
    return this.#waiting.size + this.#running.size
  }

  add(cohort: Cohort): void {
    if (this.#running.has(cohort)) this.#again.add(cohort)
    else this.#waiting.add(cohort)
  }

  /** Takes the cohorts whose turn it is; each is to be `ended`. */
  take(): ReadonlyArray<Cohort> {
    const taken: Array<Cohort> = []
    for (const cohort of this.#fair()) {
      const account = accountOf(cohort)
      if (!this.#isFree(cohort, account)) continue
      this.#waiting.delete(cohort)
      this.#running.set(cohort, { account, isBeginning: cohort.known === undefined })
      this.#turn++
      if (account !== undefined) this.#turns.set(account, this.#turn)
      taken.push(cohort)
    }
    return taken
  }

  ended(cohort: Cohort): void {
    this.#running.delete(cohort)
    if (this.#again.delete(cohort)) this.#waiting.add(cohort)
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

  #isFree(cohort: Cohort, account: AccountId | undefined): boolean {
    const isBeginning = cohort.known === undefined
    const beside = [...this.#running].filter(
      ([{ series }, other]) => series.exchange === cohort.series.exchange && other.isBeginning === isBeginning
    )
    if (!isBeginning) return beside.length < MAX_CATCHING_UP
    return beside.length < MAX_BEGINNING && !beside.some(([, other]) => other.account === account)
  }
}

const accountOf = ({ rules }: Cohort): AccountId | undefined => rules[0]?.account
