import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

export const VARIABLE = "SIGNALBOX_MASTER_KEY"

/** Where a master key may be; the first that is there is the one. */
export interface Sources {
  /** The folder of systemd's credentials. */
  readonly credentials: Option.Option<string>
  /** Its text in the environment. */
  readonly environment: Option.Option<Redacted.Redacted>
  /** The folders of the configuration, the one in which it is made first. */
  readonly folders: ReadonlyArray<string>
}

const text = Config.nonEmptyString

/**
 * As the environment says. No setting: neither a command line nor a configuration file is a place for a master key, and
 * it is never shown. As a file it lies where the configuration file does.
 */
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
      // systemd writes several folders with colons between.
      Option.map(service, (folders) => folders.split(":")[0] ?? folders),
      Option.map(user, (folder) => `${folder}/signalbox`).pipe(
        Option.orElse(() => Option.map(home, (home) => `${home}/.config/signalbox`))
      )
    ].flatMap(Option.toArray)
  })
)
