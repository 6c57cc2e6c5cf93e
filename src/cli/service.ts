// `signalbox service`: prints a hardened systemd unit. Every value is checked, because it goes into the unit
// unquoted.
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usage } from "./program/usage.ts"
import { unit } from "./service/unit.ts"

const user = Options.text("user").pipe(
  Options.withDefault("signalbox"),
  Options.withDescription("the system user that runs the server; by default signalbox")
)
const group = Options.text("group").pipe(
  Options.optional,
  Options.withDescription("its group; by default the same name as the user")
)
const binary = Options.text("binary").pipe(
  Options.withDefault("/usr/local/bin/signalbox"),
  Options.withDescription("path of the program; by default /usr/local/bin/signalbox")
)
const host = Options.text("host").pipe(
  Options.optional,
  Options.withDescription("address to listen on; by default the configuration file's, or 127.0.0.1")
)
const port = Options.integer("port").pipe(
  Options.optional,
  Options.withDescription("port to listen on; by default the configuration file's, or 8080")
)

export const service = Command.make("service", { user, group, binary, host, port }, (options) =>
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
    if (Option.exists(options.host, (host) => !HOST.test(host)))
      return yield* usage("--host takes an address, like 127.0.0.1")
    if (Option.exists(options.port, (port) => port < 1 || port > 65_535))
      return yield* usage("--port takes a number from 1 to 65535")
    const words = [
      ...Option.toArray(options.host).flatMap((host) => ["--host", host]),
      ...Option.toArray(options.port).flatMap((port) => ["--port", `${port}`])
    ]
    const isPrivileged = Option.exists(options.port, (port) => port < 1024)
    yield* Console.log(unit({ ...options, group, words, isPrivileged }).trimEnd())
  })
).pipe(
  Command.withDescription(
    "print a systemd unit that runs the server with the fewest permissions, and how to install it"
  )
)

const NAME = /^[a-z_][a-z0-9_-]{0,31}$/
/** Characters that have no meaning in a unit file. */
const PROGRAM = /^(\/[\w@+=:,.-]+)+$/
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//
const HOST = /^[\w.:-]+$/
