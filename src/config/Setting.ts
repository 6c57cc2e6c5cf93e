// The parts of a setting: its name, its environment variable, and how a value is written and parsed.
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { Bounds } from "./Bounds.ts"

/** A type of setting: how a value is written on the command line, in the configuration file and in a variable. */
export interface Kind<A> {
  /** A `list` is a text with commas, whose option may also be given several times; a `secret` is a text that is shown nowhere. */
  readonly word: "text" | "list" | "secret" | "integer" | "number" | "flag"
  /** The values that the configuration file takes, in words, and the test of a value. */
  readonly expects: string
  readonly accepts: (value: unknown) => boolean
  readonly is: (value: unknown) => value is A
  readonly read: (variable: string) => Config.Config<A>
}

/** A default that depends on the machine, with words that describe it. */
export interface Found<A> {
  readonly words: string
  readonly config: Config.Config<A>
}

interface Details<A> {
  /** A phrase in plain text: the effect of the setting, its unit, and the meaning of 0 or of an empty text. */
  readonly description: string
  /** A value to show with the description. */
  readonly example?: string
  readonly bounds?: Bounds
  /** Takes the place of the default. */
  readonly found?: Found<A>
}

/** One setting. */
export interface Setting<A> extends Details<A> {
  /** Its name in the configuration file, and after `--` on the command line. */
  readonly name: string
  /** Its environment variable (`SIGNALBOX_…`). */
  readonly variable: string
  readonly kind: Kind<A>
  /** The default in words; empty for an empty text. */
  readonly otherwise: string
  /** The default. */
  readonly fallback: Config.Config<A>
  /** The value that the environment or the configuration file sets. */
  readonly config: Config.Config<A>
  /** That value, else the default. */
  readonly value: Config.Config<A>
}

/** Makes a setting; the variable's name is derived from the setting's. */
export const setting = <A>(
  name: string,
  kind: Kind<A>,
  otherwise: NoInfer<A>,
  details: Details<NoInfer<A>>
): Setting<A> => {
  const variable = `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}`
  const config = kind.read(variable)
  const fallback = details.found?.config ?? Config.succeed(otherwise)
  return {
    ...details,
    name,
    variable,
    kind,
    otherwise: details.found?.words ?? (Redacted.isRedacted(otherwise) ? "" : String(otherwise)),
    fallback,
    config,
    value: Config.orElseIf(config, { if: ConfigError.isMissingDataOnly, orElse: () => fallback })
  }
}

/** An empty variable counts as unset. */
export const variable = Config.nonEmptyString
const numeric = (expects: string, isOne: (value: number) => boolean) => (name: string) =>
  Config.mapOrFail(variable(name), (written) => {
    const value = Number(written)
    return isOne(value)
      ? Either.right(value)
      : Either.left(ConfigError.InvalidData([], `${expects} is expected`))
  })

const isSecret = (value: unknown): value is Redacted.Redacted =>
  Redacted.isRedacted(value) && Predicate.isString(Redacted.value(value))

export const text: Kind<string> = {
  word: "text",
  expects: "a text in quotes",
  accepts: Predicate.isString,
  is: Predicate.isString,
  read: variable
}
export const list: Kind<string> = { ...text, word: "list" }
export const secret: Kind<Redacted.Redacted> = {
  word: "secret",
  expects: "a text in quotes",
  accepts: Predicate.isString,
  is: isSecret,
  read: (name) => Config.map(variable(name), (value) => Redacted.make(value))
}
export const flag: Kind<boolean> = {
  word: "flag",
  expects: "true or false",
  accepts: Predicate.isBoolean,
  is: Predicate.isBoolean,
  read: Config.boolean
}
export const integer: Kind<number> = {
  word: "integer",
  expects: "a whole number",
  accepts: Number.isInteger,
  is: Predicate.isNumber,
  read: numeric("a whole number", Number.isInteger)
}
export const number: Kind<number> = {
  word: "number",
  expects: "a number",
  accepts: Number.isFinite,
  is: Predicate.isNumber,
  read: numeric("a number", (value) => !Number.isNaN(value))
}
