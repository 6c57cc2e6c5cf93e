// The default places of the database and the configuration file: in systemd's folders, else in the user's.
import * as Config from "effect/Config"
import type * as Option from "effect/Option"
import { variable } from "./Setting.ts"

/** The database file if none is named: in systemd's state folder, else in the user's data folder. */
export const unnamedDatabase: Config.Config<string> = variable("STATE_DIRECTORY").pipe(
  Config.map((folder) => `${folder}/signalbox.db`),
  Config.orElse(() => Config.map(variable("XDG_DATA_HOME"), (folder) => `${folder}/signalbox/signalbox.db`)),
  Config.orElse(() => Config.map(variable("HOME"), (home) => `${home}/.local/share/signalbox/signalbox.db`))
)

/** The configuration file that the environment names; this file has to exist. */
export const namedFile: Config.Config<Option.Option<string>> = Config.option(variable("SIGNALBOX_CONFIG"))

/** The default configuration file, read if it exists: in systemd's configuration folder, else in the user's. */
export const unnamedFile: Config.Config<Option.Option<string>> = variable("CONFIGURATION_DIRECTORY").pipe(
  // systemd separates several folders with colons.
  Config.map((folders) => `${folders.split(":")[0]}/signalbox.toml`),
  Config.orElse(() =>
    Config.map(variable("XDG_CONFIG_HOME"), (folder) => `${folder}/signalbox/signalbox.toml`)
  ),
  Config.orElse(() => Config.map(variable("HOME"), (home) => `${home}/.config/signalbox/signalbox.toml`)),
  Config.option
)
