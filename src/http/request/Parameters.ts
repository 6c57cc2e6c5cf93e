import * as Either from "effect/Either"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"

/** What the parameters of an address say; all that is wrong with them is told at once. */
export class Parameters {
  readonly #flaws: Array<Violation> = []

  /** A whole number within bounds. */
  whole(field: string, text: string | undefined, least: number, most: number): number | undefined {
    if (text === undefined) return undefined
    const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    return this.#refuse(field, `must be a whole number from ${least} to ${most}`)
  }

  /** One of some words; the first where nothing is said. */
  one<Word extends string>(
    field: string,
    text: string | undefined,
    words: readonly [Word, ...Array<Word>]
  ): Word {
    const word = words.find((it) => it === text)
    if (text !== undefined && word === undefined) this.#refuse(field, `must be one of ${words.join(", ")}`)
    return word ?? words[0]
  }

  /** A value that there is no choice for. */
  required<A>(
    field: string,
    text: string | undefined,
    is: (text: string) => A | undefined,
    what: string
  ): A | undefined {
    if (text === undefined) return this.#refuse(field, "is required")
    return is(text) ?? this.#refuse(field, `must be ${what}`)
  }

  /** What was read, where nothing is wrong with it. */
  done<A>(read: A | undefined): Either.Either<A, Violations> {
    return this.#flaws.length === 0 && read !== undefined
      ? Either.right(read)
      : Either.left(Violations.of(this.#flaws))
  }

  refuse(field: string, text: string): undefined {
    return this.#refuse(field, text)
  }

  #refuse(field: string, text: string): undefined {
    this.#flaws.push(violation(field, text))
    return undefined
  }
}
