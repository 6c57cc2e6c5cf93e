// The places at which a master key may be, as the environment names them. A master key is not a setting: it never
// stands on a command line, in the configuration file or in a log.
import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

export const VARIABLE = "SIGNALBOX_MASTER_KEY"

/** Places of a master key; the first one that holds a key wins. */
export interface Sources {
  /** systemd's folder of credentials. */
  readonly credentials: Option.Option<string>
  /** The key itself, from the environment. */
  readonly environment: Option.Option<Redacted.Redacted>
  /** Configuration folders; a new key is made in the first that can be written to. */
  readonly folders: ReadonlyArray<string>
}

const text = Config.nonEmptyString

/** Reads the places from the environment. A key file lies beside the configuration file. */
export const sources: Config.Config<Sources> = Config.map(
  Config.all({
    credentials: Config.option(text("CREDENTIALS_DIRECTORY")),
    environment: Config.option(Config.map(text(VARIABLE), Redacted.make)),
    service: Config.option(text("CONFIGURATION_DIRECTORY")),
    user: Config.option(text("XDG_CONFIG_HOME")),
    home: Config.option(text("HOME"))
  }),
  ({ credentials, environment, home, service, user }) => ({
    credentials,
    environment,
    folders: [
      // systemd separates several folders with colons.
      Option.map(service, (folders) => folders.split(":")[0] ?? folders),
      Option.map(user, (folder) => `${folder}/signalbox`).pipe(
        Option.orElse(() => Option.map(home, (home) => `${home}/.config/signalbox`))
      )
    ].flatMap(Option.toArray)
  })
)
