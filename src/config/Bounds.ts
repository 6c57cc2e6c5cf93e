// Bounds of settings: which values the server can use, with the words that explain it to a user.
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { ofText } from "../domain/fills/FillText.ts"
import { AMOUNT_WORDS, MAX_AMOUNT } from "../domain/requests/Bounds.ts"
import * as Database from "../domain/requests/Database.ts"

/** The values that a setting takes; `words` describes them in an error. */
export interface Bounds {
  readonly words: string
  readonly accepts: (value: unknown) => boolean
}

const numbers = (words: string, least: number, most = Number.MAX_VALUE): Bounds => ({
  words,
  accepts: (value) => typeof value === "number" && value >= least && value <= most
})

/** One of a few words. */
export const oneOf = (...words: readonly [string, ...ReadonlyArray<string>]): Bounds => ({
  words: [words.slice(0, -1).join(", "), words.at(-1)].join(" or "),
  accepts: (value) => words.some((word) => word === value)
})

export const NOT_NEGATIVE = numbers("a number of 0 or more", 0)
export const POSITIVE = numbers("a number above 0", Number.MIN_VALUE)
export const COUNT = numbers("a number of 1 or more", 1)
export const AMOUNT = numbers(AMOUNT_WORDS, 0, MAX_AMOUNT)
export const PORT = numbers("a number from 0 to 65535", 0, 65_535)

const NUMBERS = /^(?:[1-9]\d{0,14}(?:,[1-9]\d{0,14})*)?$/
/** Ids of strategies, separated by commas, or none. */
export const STRATEGIES: Bounds = {
  words: "numbers of strategies, like 3 or 3,7",
  accepts: (value) => typeof value === "string" && NUMBERS.test(value)
}

/** The longest latency of paper fills: an exchange's answer is waited for as long, so it has to end before. */
export const MAX_PAPER_LATENCY_MS = 5000

/** Fills nearer to life, as far as paper trading has them. */
export const PAPER_FILLS: Bounds = {
  words: `slippage=0.05% or slippage=2ticks, spread=0.02%, latency=500ms (${MAX_PAPER_LATENCY_MS}ms at most) and limits=through, separated by commas`,
  accepts: (value) => {
    const model = typeof value === "string" ? ofText(value) : Either.left("")
    return (
      Either.isRight(model) &&
      model.right?.funding === undefined &&
      model.right?.spread === undefined &&
      (model.right?.latencyMs ?? 0) <= MAX_PAPER_LATENCY_MS
    )
  }
}

/** An address of Postgres, or none. In the configuration file it is a plain text. */
export const POSTGRES: Bounds = {
  words: `an address like ${Database.FORM}; its sslmode, if it has one, is one of ${Database.SSL_MODES.join(", ")}`,
  accepts: (value) => {
    const text = Redacted.isRedacted(value) ? Redacted.value(value) : value
    if (typeof text !== "string") return false
    return text === "" || (Database.isAddress(text) && Database.hasKnownSslMode(text))
  }
}
