// The parts of a setting: its name, its variable, and how its values are written and read.
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

/** What may be written for a setting: its word, how a value of a file is told to be one, how a text is read. */
export interface Kind<A> {
  readonly word: "text" | "integer" | "number" | "flag"
  readonly expects: string
  readonly accepts: (value: unknown) => boolean
  readonly read: (variable: string) => Config.Config<A>
}

/**
 * One setting: its name on the command line and in the configuration file, its variable in the environment
 * (`SIGNALBOX_…`), its default, what it does.
 */
export interface Setting<A> {
  readonly name: string
  readonly variable: string
  readonly kind: Kind<A>
  readonly config: Config.Config<A>
  readonly fallback: A
  readonly description: string
}

/** A setting of a name; its variable follows from it. */
export const setting = <A>(name: string, kind: Kind<A>, fallback: A, description: string): Setting<A> => {
  const variable = `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}`
  return { name, variable, kind, config: kind.read(variable), fallback, description }
}

/** A variable that is empty counts as one that is not set. */
export const variable = Config.nonEmptyString
const numeric = (expects: string, isOne: (value: number) => boolean) => (name: string) =>
  Config.mapOrFail(variable(name), (written) => {
    const value = Number(written)
    return isOne(value)
      ? Either.right(value)
      : Either.left(ConfigError.InvalidData([], `${expects} is expected`))
  })

export const text: Kind<string> = {
  word: "text",
  expects: "a text in quotes",
  accepts: (value) => typeof value === "string",
  read: variable
}
export const flag: Kind<boolean> = {
  word: "flag",
  expects: "true or false",
  accepts: (value) => typeof value === "boolean",
  read: Config.boolean
}
export const integer: Kind<number> = {
  word: "integer",
  expects: "a whole number",
  accepts: Number.isInteger,
  read: numeric("a whole number", Number.isInteger)
}
export const number: Kind<number> = {
  word: "number",
  expects: "a number",
  accepts: Number.isFinite,
  read: numeric("a number", (value) => !Number.isNaN(value))
}
