/** The flaw of a step after one that failed. */
export const NOT_TRIED = "not tried: a step before it failed"

/** One line of the table. */
export interface Row {
  readonly test: string
  readonly ms: number
  /** A note, such as a measurement. */
  readonly note: string
  /** The failures; empty if there are none. */
  readonly flaws: ReadonlyArray<string>
}

/** A step's actions: they fail by throwing, and may return a note. */
export type Act = () => Promise<unknown>

/** The errors of a suite's browsers since the last reading, and pictures of their pages. */
export interface Watch {
  readonly flaws: () => ReadonlyArray<string>
  /** The paths of new pictures. */
  readonly pictures: (name: string) => Promise<ReadonlyArray<string>>
}

/** The steps of one suite. An error of a browser during a step fails it too. */
export class Steps {
  readonly #suite: string
  readonly #watch: Watch
  readonly #told: (row: Row) => void
  #isLost = false

  constructor(suite: string, watch: Watch, told: (row: Row) => void) {
    this.#suite = suite
    this.#watch = watch
    this.#told = told
  }

  /** Runs a step that later ones depend on: if it fails, they are not tried. */
  async take(title: string, act: Act): Promise<void> {
    if (!(await this.check(title, act))) this.#isLost = true
  }

  /** Runs an independent step; returns whether it passed. */
  async check(title: string, act: Act): Promise<boolean> {
    const began = performance.now()
    const flaws: Array<string> = []
    let note = ""
    if (this.#isLost) flaws.push(NOT_TRIED)
    else
      try {
        const said = await within(LIMIT_MS, act())
        if (typeof said === "string") note = said
      } catch (error) {
        flaws.push(Bun.stripANSI(error instanceof Error ? error.message : String(error)).trim())
      }
    const ms = performance.now() - began
    flaws.push(...this.#watch.flaws())
    if (flaws.length > 0 && !this.#isLost)
      flaws.push(...(await this.#watch.pictures(`${this.#suite}: ${title}`)).map((it) => `a picture: ${it}`))
    this.#told({ test: `${this.#suite}: ${title}`, ms, note, flaws: flaws.map((it) => it.slice(0, 1500)) })
    return flaws.length === 0
  }
}

/** The longest time of a step. */
const LIMIT_MS = 90_000

const within = async (ms: number, act: Promise<unknown>): Promise<unknown> => {
  let timer: Timer | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${inWords(ms)}`)), ms)
  })
  try {
    return await Promise.race([act, late])
  } finally {
    clearTimeout(timer)
  }
}

export const inWords = (millis: number): string =>
  millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`
