/** One line of the table. */
export interface Row {
  readonly test: string
  readonly ms: number
  /** What is worth saying of it, such as what was measured. */
  readonly note: string
  /** What went wrong; empty where nothing did. */
  readonly flaws: ReadonlyArray<string>
}

/** A step: it fails by throwing, and what it gives back as text is worth saying. */
export type Act = () => Promise<unknown>

/** The steps of one suite. After each, `watch` tells what the browser complained of meanwhile: that fails the step too. */
export class Steps {
  readonly #suite: string
  readonly #watch: () => Promise<ReadonlyArray<string>>
  readonly #told: (row: Row) => void
  #isLost = false

  constructor(suite: string, watch: () => Promise<ReadonlyArray<string>>, told: (row: Row) => void) {
    this.#suite = suite
    this.#watch = watch
    this.#told = told
  }

  /** A step that those behind it stand on: where it fails, they are not tried. */
  async take(title: string, act: Act): Promise<void> {
    if (!(await this.check(title, act))) this.#isLost = true
  }

  /** A step of its own; whether it went well. */
  async check(title: string, act: Act): Promise<boolean> {
    const began = performance.now()
    const flaws: Array<string> = []
    let note = ""
    if (this.#isLost) flaws.push("not tried: a step before it failed")
    else
      try {
        const said = await act()
        if (typeof said === "string") note = said
      } catch (error) {
        flaws.push(Bun.stripANSI(error instanceof Error ? error.message : String(error)).trim())
      }
    const ms = performance.now() - began
    flaws.push(...(await this.#watch()))
    this.#told({ test: `${this.#suite}: ${title}`, ms, note, flaws: flaws.map((it) => it.slice(0, 1500)) })
    return flaws.length === 0
  }
}

export const inWords = (millis: number): string =>
  millis < 1000 ? `${Math.round(millis)} ms` : `${(millis / 1000).toFixed(1)} s`
