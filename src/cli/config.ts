// `signalbox config`: shows each setting's value and source. The command line wins over the environment, that over
// the file, and that over the default. Secrets are never shown.
import * as Command from "@effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Config from "../Config.ts"
import * as MasterKey from "../vault/MasterKey.ts"
import { sources } from "../vault/Sources.ts"
import { given } from "./config/options.ts"
import { refusalOf } from "./config/refusals.ts"
import { Sources } from "./config/Sources.ts"
import { BY_NAME, type Setting, shown } from "./config/settings.ts"
import { json } from "./program/shared.ts"
import { columns } from "./program/table.ts"
import { usage } from "./program/usage.ts"

/** A setting's current value, and its source. */
interface InForce {
  readonly setting: Setting
  readonly value: unknown
  readonly from: "command line" | "environment" | "file" | "default"
}

/** One option for each setting; undefined if it is not given. */
const options = Record.fromIterableWith(BY_NAME, ([name, setting]) => [name, given(setting)])

export const config = Command.make("config", { values: options, json }, ({ json, values }) =>
  Effect.gen(function* () {
    const { environment, file } = yield* Sources
    const all = yield* Effect.forEach(BY_NAME.values(), (setting) => inForce(setting, values[setting.name]))
    const refusal = refusalOf(new Map(all.map(({ setting, value }) => [setting.name, value])))
    if (Option.isSome(refusal)) return yield* usage(refusal.value)
    for (const name of environment.keys()) {
      if (isUnknown(name))
        yield* Console.error(`signalbox: the environment sets ${name}, which is not a setting`)
    }
    const path = Option.getOrNull(Option.map(file, ({ path }) => path))
    const master = Option.map(yield* masterKey, MasterKey.describe)
    if (json) {
      const settings = all.map(({ from, setting: { name, variable }, value }) => [
        name,
        { value: shown(value), from, variable }
      ])
      return yield* Console.log(
        JSON.stringify({
          file: path,
          master_key: Option.getOrNull(master),
          settings: Object.fromEntries(settings)
        })
      )
    }
    const rows = all.map(({ from, setting: { name, variable }, value }) => [
      name,
      shown(value) === "" ? "-" : String(shown(value)),
      from === "environment" ? variable : from
    ])
    const about = [
      aboutFile(path, yield* usual),
      ...Option.toArray(Option.map(master, (where) => `Master key of exchange accounts: ${where}`))
    ]
    yield* Console.log(`${about.join("\n")}\n\n${columns(["setting", "value", "from"], rows)}`)
  })
).pipe(
  Command.withDescription(
    "show all settings in effect, and where each comes from: command line, environment, configuration file or default"
  )
)

/** The place of the master key, without the key. */
const masterKey = Effect.flatMap(Effect.orDie(sources), MasterKey.find)

/** Takes the value of the first source that sets it. */
const inForce = (setting: Setting, given: unknown) =>
  Effect.gen(function* () {
    if (given !== undefined) return { setting, value: given, from: "command line" } satisfies InForce
    const { environment, file } = yield* Sources
    const isSet = environment.has(setting.variable)
    const isInFile = Option.exists(file, ({ values }) => values.has(setting.variable))
    if (!isSet && !isInFile)
      return { setting, value: yield* fallbackOf(setting), from: "default" } satisfies InForce
    const value = yield* setting.config.pipe(
      Effect.catchAll(() => usage(`${setting.variable} takes ${setting.kind.expects}`))
    )
    return { setting, value, from: isSet ? "environment" : "file" } satisfies InForce
  })

/** The default; empty where the machine has none. */
const fallbackOf = ({ fallback }: Setting): Effect.Effect<unknown> => Effect.orElseSucceed(fallback, () => "")

const usual = Effect.orElseSucceed(Config.unnamedFile, Option.none<string>)

const aboutFile = (path: string | null, usual: Option.Option<string>): string => {
  if (path !== null) return `Configuration file: ${path}`
  return Option.match(usual, {
    onNone: () => "No configuration file.",
    onSome: (place) => `No configuration file: there is no ${place}.`
  })
}

/** A variable that begins with SIGNALBOX_ but is no setting: probably misspelt. */
const isUnknown = (name: string): boolean =>
  name.startsWith("SIGNALBOX_") &&
  name !== "SIGNALBOX_CONFIG" &&
  ![...BY_NAME.values()].some(({ variable }) => variable === name)
