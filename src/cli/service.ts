// `signalbox service`: prints a hardened systemd unit. Every value is checked, because it goes into the unit, and into
// the command that the unit shows, unquoted.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { byDefault } from "./program/shared.ts"
import { usage } from "./program/usage.ts"
import { BINARY, USER, unit } from "./service/unit.ts"

const user = byDefault(Options.text("user"), USER, "the system user that runs the server")
const group = Options.text("group").pipe(
  Options.optional,
  Options.withDescription("its group; by default the same name as the user")
)
const binary = byDefault(Options.text("binary"), BINARY, "path of the program")
const host = Options.text("host").pipe(
  Options.optional,
  Options.withDescription("address to listen on; by default the configuration file's, or 127.0.0.1")
)
const port = Options.integer("port").pipe(
  Options.optional,
  Options.withDescription(
    "port to listen on; by default the configuration file's, or 8080; name one below 1024 here, so that the unit permits it"
  )
)
const alertHost = Options.text("alert-host").pipe(
  Options.optional,
  Options.withDescription(
    "address of the port for alerts alone; by default the configuration file's, or --host's"
  )
)
const alertPort = Options.integer("alert-port").pipe(
  Options.optional,
  Options.withDescription(
    "a second port, for alerts alone; by default the configuration file's, or none; name one below 1024 here"
  )
)

export const service = Command.make(
  "service",
  { user, group, binary, host, port, alertHost, alertPort },
  (options) =>
    Effect.gen(function* () {
      const group = Option.getOrElse(options.group, () => options.user)
      for (const [name, value] of [
        ["user", options.user],
        ["group", group]
      ] as const) {
        if (!NAME.test(value)) return yield* usage(`--${name} takes the name of a ${name}, like signalbox`)
      }
      if (!PROGRAM.test(options.binary) || HIDDEN.test(options.binary)) {
        return yield* usage(
          "--binary takes an absolute path without spaces, and not in /home, /root, /run/user or /tmp, which the service cannot see"
        )
      }
      const words = yield* listening(options)
      const ports = [options.port, options.alertPort].flatMap(Option.toArray)
      const isPrivileged = ports.some((port) => port < FIRST_FREE_PORT)
      yield* Console.log(unit({ ...options, group, words, isPrivileged }).trimEnd())
    })
).pipe(
  Command.withDescription(
    "print a systemd unit that runs the server with the fewest permissions, and how to install it"
  )
)

/** The options of `serve`, checked. */
const listening = (options: {
  readonly host: Option.Option<string>
  readonly port: Option.Option<number>
  readonly alertHost: Option.Option<string>
  readonly alertPort: Option.Option<number>
}) =>
  Effect.gen(function* () {
    const host = (name: string, given: Option.Option<string>) =>
      Option.exists(given, (host) => !HOST.test(host))
        ? usage(`${name} takes an address, like 127.0.0.1`)
        : Effect.succeed(Option.toArray(given).flatMap((host) => [name, host]))
    const port = (name: string, given: Option.Option<number>) =>
      Option.exists(given, (port) => port < 1 || port > 65_535)
        ? usage(`${name} takes a number from 1 to 65535`)
        : Effect.succeed(Option.toArray(given).flatMap((port) => [name, `${port}`]))
    return [
      ...(yield* host("--host", options.host)),
      ...(yield* port("--port", options.port)),
      ...(yield* host("--alert-host", options.alertHost)),
      ...(yield* port("--alert-port", options.alertPort))
    ]
  })

/** Only a program with a capability may listen on the ports below. */
const FIRST_FREE_PORT = 1024

const NAME = /^[a-z_][a-z0-9_-]{0,31}$/
/** Characters that have no meaning in a unit file. */
const PROGRAM = /^(\/[\w@+=:,.-]+)+$/
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//
const HOST = /^[\w.:-]+$/
