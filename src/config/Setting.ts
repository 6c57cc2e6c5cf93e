// The parts of a setting: its name, its environment variable, and how a value is written and parsed.
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

/**
 * A type of setting: its name in the help, the check for a value from the configuration file, and the parser for
 * text.
 */
export interface Kind<A> {
  readonly word: "text" | "integer" | "number" | "flag"
  readonly expects: string
  readonly accepts: (value: unknown) => boolean
  readonly read: (variable: string) => Config.Config<A>
}

/**
 * One setting: its name on the command line and in the configuration file, its variable (`SIGNALBOX_…`), its default
 * and its description.
 */
export interface Setting<A> {
  readonly name: string
  readonly variable: string
  readonly kind: Kind<A>
  readonly config: Config.Config<A>
  readonly fallback: A
  readonly description: string
}

/** Makes a setting; the variable's name is derived from the setting's. */
export const setting = <A>(name: string, kind: Kind<A>, fallback: A, description: string): Setting<A> => {
  const variable = `SIGNALBOX_${name.toUpperCase().replaceAll("-", "_")}`
  return { name, variable, kind, config: kind.read(variable), fallback, description }
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
