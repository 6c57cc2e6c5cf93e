// The command-line options of settings, made from the table of settings.
import * as Options from "@effect/cli/Options"
import * as Configuration from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"

/** The option of a setting, which its variable or the configuration file may set too. */
export const option = <A>(setting: Config.Setting<A>): Options.Options<A> =>
  described(setting, setting.value).pipe(
    Options.filterMap(Option.liftPredicate(setting.kind.is), setting.kind.expects)
  )

/** The options of all settings of a table. */
export const options = <T extends Config.Tree>(tree: T): Options.Options<Config.Values<T>> =>
  Config.fold<Options.Options<unknown>>(tree, option, Options.all).pipe(
    Options.filterMap(Option.liftPredicate(Config.areValues(tree)), "a value of another type")
  )

/** The value of a setting that a command has no option for, or its default if the value is invalid. */
export const usable = <A>({ config, fallback }: Config.Setting<A>) =>
  Effect.orDie(Effect.orElse(config, () => fallback))

/** The option of a setting; undefined where the command line does not give it. */
export const given = (setting: Config.Setting<unknown>): Options.Options<unknown> =>
  described(setting, Configuration.succeed(undefined))

const described = (setting: Config.Setting<unknown>, absent: Configuration.Config<unknown>) => {
  const { description, example, otherwise, variable } = setting
  const shown = example === undefined ? "" : `; example: ${example}`
  const other = BARE.has(otherwise) ? "" : `, else ${otherwise}`
  return Options.withDescription(parsed(setting, absent), `${description}${shown} (${variable}${other})`)
}

/** Defaults such as 0 that mean nothing alone: the description explains them. */
const BARE: ReadonlySet<string> = new Set(["", "0", "false"])

const parsed = (
  { kind, name }: Config.Setting<unknown>,
  absent: Configuration.Config<unknown>
): Options.Options<unknown> => {
  switch (kind.word) {
    case "text":
      return Options.text(name).pipe(Options.withFallbackConfig(absent))
    case "secret":
      return Options.redacted(name).pipe(Options.withFallbackConfig(absent))
    case "integer":
      return Options.integer(name).pipe(Options.withFallbackConfig(absent))
    case "number":
      return Options.float(name).pipe(Options.withFallbackConfig(absent))
    case "flag":
      return Options.boolean(name).pipe(Options.withFallbackConfig(absent))
    case "list":
      // Joined with commas, as the variable is written.
      return Options.text(name).pipe(
        Options.repeated,
        Options.mapEffect((values) =>
          values.length > 0 ? Effect.succeed(values.join(",")) : Effect.orDie(absent)
        )
      )
  }
}
