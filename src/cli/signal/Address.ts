import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Config from "../../Config.ts"
import { reachable } from "../doctor/port.ts"

/** Where the server of this machine answers, by the settings in the environment. */
export const own = Effect.gen(function* () {
  const host = yield* Effect.orElseSucceed(Config.host.config, () => Config.host.fallback)
  const port = yield* Effect.orElseSucceed(Config.port.config, () => Config.port.fallback)
  return `http://${reachable(host)}:${port}`
})

/** A server's address, without what stands behind it. */
export const parse = (text: string): Option.Option<string> =>
  Option.liftThrowable(() => new URL(text))().pipe(
    Option.filter(({ protocol, search, username }) => /^https?:$/.test(protocol) && search + username === ""),
    Option.map(({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/, "")}`)
  )

/** Whether nobody but this machine reaches it. */
export const isLocal = (base: string): boolean => /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(base)
