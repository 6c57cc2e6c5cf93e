// Reads the configuration file (TOML). Every line must be a known setting with a valid value; errors name the line
// and suggest a name.
import { existsSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Config from "../../Config.ts"
import { UsageError, usage } from "../program/usage.ts"
import { BY_NAME, meant } from "./settings.ts"

/** A configuration file: its path, and its values as text by variable name. */
export interface File {
  readonly path: string
  readonly values: ReadonlyMap<string, string>
}

const MAX_LENGTH = 2 ** 20

/** The named file, which must exist; else the default file, if it exists. */
export const find = (onCommandLine: Option.Option<string>) =>
  Effect.gen(function* () {
    const inEnvironment = yield* Effect.orDie(Config.namedFile)
    const named = Option.orElse(onCommandLine, () => inEnvironment)
    const path = Option.isSome(named) ? named : yield* Effect.orDie(Config.unnamedFile)
    if (Option.isNone(path)) return Option.none<File>()
    if (existsSync(path.value)) return Option.some(yield* read(path.value))
    return Option.isSome(named)
      ? yield* usage(`there is no configuration file ${path.value}`)
      : Option.none<File>()
  })

const read = (path: string) =>
  Effect.gen(function* () {
    const text = yield* attempt(
      () => readFileSync(path, "utf8"),
      () => `the configuration file ${path} cannot be read`
    )
    if (text.length > MAX_LENGTH) return yield* usage(`${path} is too long for a configuration file`)
    const lines = yield* attempt(
      () => Bun.TOML.parse(text),
      () => `${path}${lineOf(text)} is not TOML`
    )
    const entries = Object.entries(lines)
    const errors = entries.flatMap(([name, value]) => Option.toArray(errorOf(name, value)))
    if (errors.length > 0) {
      return yield* usage(errors.map((error) => `${path}: ${error}`).join("\nsignalbox: "))
    }
    const values = entries.flatMap(([name, value]) => {
      const setting = BY_NAME.get(name)
      return setting === undefined || value === "" ? [] : [[setting.variable, String(value)] as const]
    })
    return { path, values: new Map(values) }
  })

const attempt = <A>(work: () => A, failure: () => string) =>
  Effect.try({
    try: work,
    catch: (cause) => new UsageError({ message: `${failure()}: ${reasonOf(cause)}` })
  })

/** The error of one setting of the file. */
const errorOf = (name: string, value: unknown): Option.Option<string> => {
  const setting = BY_NAME.get(name)
  if (setting === undefined) {
    const other = meant(name)
    const hint = other === undefined ? "signalbox config lists them all" : `did you mean ${other}?`
    return Option.some(`there is no setting ${name}; ${hint}`)
  }
  if (!setting.kind.accepts(value))
    return Option.some(`${name} takes ${setting.kind.expects}, and not ${typeOf(value)}`)
  // An empty text counts as unset, like an empty variable.
  if (value === "") return Option.none()
  return Option.map(Config.brokenBy(setting, value), (error) => `${name} ${error}`)
}

const typeOf = (value: unknown): string => {
  if (typeof value === "string") return "a text"
  if (typeof value === "number") return Number.isFinite(value) ? `the number ${value}` : `${value}`
  if (typeof value === "boolean") return `${value}`
  return Array.isArray(value) ? "a list" : "a table"
}

const reasonOf = (cause: unknown): string =>
  Predicate.isError(cause) ? cause.message.replace(/^TOML Parse error: /, "") : String(cause)

/** The line at which parsing fails, found by parsing growing parts: the parser does not report it. */
const lineOf = (text: string): string => {
  const lines = text.split("\n")
  if (lines.length > 1000) return ""
  const bad = lines.findIndex((_, index) => !isToml(lines.slice(0, index + 1).join("\n")))
  return bad < 0 ? "" : `, line ${bad + 1},`
}

const isToml = (text: string): boolean => {
  try {
    Bun.TOML.parse(text)
    return true
  } catch {
    return false
  }
}
