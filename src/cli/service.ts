import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usage } from "./program/usage.ts"
import { unit } from "./service/unit.ts"

const user = Options.text("user").pipe(
  Options.withDefault("signalbox"),
  Options.withDescription("the user that the server runs as, a system user of its own; by default signalbox")
)
const group = Options.text("group").pipe(
  Options.optional,
  Options.withDescription("its group; by default the one named like the user")
)
const binary = Options.text("binary").pipe(
  Options.withDefault("/usr/local/bin/signalbox"),
  Options.withDescription("where the program is; by default /usr/local/bin/signalbox")
)
const host = Options.text("host").pipe(
  Options.optional,
  Options.withDescription("address to listen on; the configuration file's, or 127.0.0.1, where left out")
)
const port = Options.integer("port").pipe(
  Options.optional,
  Options.withDescription("port to listen on; the configuration file's, or 8080, where left out")
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
        "--binary takes a whole path without blanks, outside of /home, /root, /run/user and /tmp, which the service cannot see"
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
    "print a systemd unit that runs the server with nothing more than it needs, and how to install it"
  )
)

const NAME = /^[a-z_][a-z0-9_-]{0,31}$/
/** Characters that mean nothing to systemd. */
const PROGRAM = /^(\/[\w@+=:,.-]+)+$/
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//
const HOST = /^[\w.:-]+$/
