// Parses query parameters one by one, and collects all violations.
import * as Either from "effect/Either"
import { type Violation, Violations, violation } from "../../domain/requests/Violations.ts"

/** A parser of one request's parameters. */
export class Parameters {
  readonly #violations: Array<Violation> = []

  /** A whole number within bounds. */
  whole(field: string, text: string | undefined, least: number, most: number): number | undefined {
    if (text === undefined) return undefined
    const value = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    return this.#refuse(field, `must be a whole number from ${least} to ${most}`)
  }

  /** One of some words; the first where the parameter is absent. */
  one<Word extends string>(
    field: string,
    text: string | undefined,
    words: readonly [Word, ...Array<Word>]
  ): Word {
    const word = words.find((it) => it === text)
    if (text !== undefined && word === undefined) this.#refuse(field, `must be one of ${words.join(", ")}`)
    return word ?? words[0]
  }

  /** One of some words, or none where the parameter is absent. */
  oneOrNone<Word extends string>(
    field: string,
    text: string | undefined,
    words: readonly [Word, ...Array<Word>]
  ): Word | undefined {
    return text === undefined ? undefined : this.one(field, text, words)
  }

  /** A parameter that must be present. */
  required<A>(
    field: string,
    text: string | undefined,
    is: (text: string) => A | undefined,
    what: string
  ): A | undefined {
    if (text === undefined) return this.#refuse(field, "is required")
    return is(text) ?? this.#refuse(field, `must be ${what}`)
  }

  /** The parsed value where there is no violation. */
  done<A>(read: A | undefined): Either.Either<A, Violations> {
    return this.#violations.length === 0 && read !== undefined
      ? Either.right(read)
      : Either.left(Violations.of(this.#violations))
  }

  /** The parsed value, which may be undefined, where there is no violation. */
  read<A>(value: A): Either.Either<A, Violations> {
    return this.#violations.length === 0 ? Either.right(value) : Either.left(Violations.of(this.#violations))
  }

  refuse(field: string, text: string): undefined {
    return this.#refuse(field, text)
  }

  #refuse(field: string, text: string): undefined {
    this.#violations.push(violation(field, text))
    return undefined
  }
}
