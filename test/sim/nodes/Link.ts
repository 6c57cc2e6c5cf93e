// The way of one process to the database. Statements take time, answers get lost, the way is cut and mended, and what others
// tell comes late, twice or never.
import { sqlErrorOf } from "../../../src/postgres/client/PostgresError.ts"
import type { SeededRandom } from "../../../src/testing/SeededRandom.ts"
import type { Said } from "./dialect.ts"
import type { Machine } from "./Machine.ts"
import { type Answer, type Notice, Session, type SharedDatabase } from "./SharedDatabase.ts"

const GONE = sqlErrorOf(new Error("the connection was closed"))
/** The longest that a statement is on its way (ms). */
const MOST_LATE_MS = 13_000
/** How long the database waits for a transaction that does nothing, at most (ms). */
const MOST_IDLE_MS = 4_000

/** What a way is like, and who hears of a transaction that was committed before its answer arrives. */
interface Way {
  readonly dice: SeededRandom
  readonly isCalm: () => boolean
  readonly onCommit: () => void
}

export class Link {
  readonly name: string
  readonly machine: Machine
  readonly #database: SharedDatabase
  readonly #dice: SeededRandom
  readonly #isCalm: () => boolean
  readonly #onCommit: () => void
  readonly #sessions = new Set<Session>()
  /** Ends those who wait for an answer. */
  readonly #pending = new Set<() => void>()
  readonly #listeners = new Set<(notice: Notice) => void>()
  #isCut = false

  constructor(name: string, machine: Machine, database: SharedDatabase, { dice, isCalm, onCommit }: Way) {
    this.name = name
    this.machine = machine
    this.#database = database
    this.#dice = dice
    this.#isCalm = isCalm
    this.#onCommit = onCommit
  }

  get isCut(): boolean {
    return this.#isCut
  }

  open(): Session {
    const session = new Session(this.name)
    this.#sessions.add(session)
    return session
  }

  close(session: Session): void {
    this.#sessions.delete(session)
    this.#database.end(session)
  }

  /** Sends a statement. What was sent is done, even if nobody waits for it any more. */
  ask(session: Session | undefined, said: Said, answer: (answer: Answer) => void): void {
    let isAnswered = false
    const give = (given: Answer) => {
      if (isAnswered) return
      isAnswered = true
      this.#pending.delete(lost)
      answer(given)
    }
    const lost = () => this.machine.after(this.#dice.whole(1, 20), () => give(GONE))
    if (this.#isCut) return lost()
    this.#pending.add(lost)
    this.machine.loom.after(this.#way(session), () =>
      this.#database.run(this.name, session, said, (given) => {
        if (said.text === "COMMIT" && !this.#isCalm()) this.#onCommit()
        // A lost answer is the end of its connection.
        if (!this.#isCalm() && this.#dice.chance(0.004)) {
          if (session !== undefined) this.close(session)
          return lost()
        }
        this.machine.after(this.#way(session), () => give(given))
      })
    )
  }

  /** Nothing comes and goes from now on. */
  cut(): void {
    this.#isCut = true
    this.#end()
  }

  mend(): void {
    this.#isCut = false
  }

  /** The process has ended: the kernel closes its connections. */
  end(): void {
    this.#end()
    this.#listeners.clear()
  }

  /** The process stands still: the database ends a transaction of it that does nothing. */
  stall(): void {
    for (const session of this.#sessions)
      if (this.#database.isOpen(session))
        this.machine.loom.after(this.#dice.whole(0, MOST_IDLE_MS), () => {
          if (this.machine.isFrozen) this.#database.end(session)
        })
  }

  listen(hear: (notice: Notice) => void): () => void {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  /** A notice of the database, which may not arrive. */
  hear(notice: Notice): void {
    const dice = this.#dice
    if (this.#isCut || dice.chance(0.2)) return
    for (const hear of this.#listeners)
      for (let times = dice.chance(0.15) ? 2 : 1; times > 0; times--)
        this.machine.after(dice.chance(0.1) ? dice.whole(50, 3_000) : dice.whole(0, 20), () => hear(notice))
  }

  #end(): void {
    for (const session of this.#sessions) this.#database.end(session)
    this.#sessions.clear()
    for (const lost of this.#pending) lost()
    this.#pending.clear()
  }

  /** How long a statement or an answer takes (ms). Within a transaction everybody else waits. */
  #way(session: Session | undefined): number {
    const dice = this.#dice
    if (session !== undefined) return dice.chance(0.9) ? 0 : 1
    const odds = this.#isCalm() ? 1 : dice.next()
    if (odds < 0.002) return dice.whole(1_000, MOST_LATE_MS)
    return odds < 0.03 ? dice.whole(20, 400) : dice.whole(0, 2)
  }
}
