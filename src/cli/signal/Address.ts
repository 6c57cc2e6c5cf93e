// Addresses of servers: this machine's own from the settings, and the parsing of others.
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"
import { usable } from "../config/options.ts"
import { reachable } from "../doctor/port.ts"
import { usage } from "../program/usage.ts"

/** The address of this machine's server, from the settings. */
export const own = Effect.gen(function* () {
  const host = yield* usable(Config.SETTINGS.host)
  const port = yield* usable(Config.SETTINGS.port)
  return `http://${reachable(host)}:${port}`
})

/** Parses a server's address, without query or user. */
export const parse = (text: string): Option.Option<string> =>
  Option.liftThrowable(() => new URL(text))().pipe(
    Option.filter(({ protocol, search, username }) => /^https?:$/.test(protocol) && search + username === ""),
    Option.map(({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/, "")}`)
  )

/** The address of `--base`. */
export const named = (base: string) =>
  Option.match(parse(base), {
    onNone: () => usage("--base takes the server's address, like https://bots.example.org"),
    onSome: Effect.succeed
  })

/** Whether only this machine can reach an address. */
export const isLocal = (base: string): boolean => /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(base)
