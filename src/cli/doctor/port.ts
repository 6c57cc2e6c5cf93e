import * as Effect from "effect/Effect"
import { type Check, fail, ok } from "./Check.ts"

const PATIENCE_MS = 3_000

/** Where the server is, or would be. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A server that has the database has to answer; without one the port has to be free. */
export const port = (address: Address, isServed: boolean): Effect.Effect<Check> =>
  isServed ? answering(address) : free(address)

const answering = ({ host, port }: Address) =>
  Effect.gen(function* () {
    const url = `http://${reachable(host)}:${port}`
    const [health, ready] = yield* Effect.all([statusOf(`${url}/healthz`), statusOf(`${url}/readyz`)])
    if (health === 200 && ready === 200) return ok("port", `the server answers on ${url}, and is ready`)
    if (health === 200) {
      const text = `the server answers on ${url}, but is not ready (${ready})`
      return fail("port", text, "its log says why: the disk may be full, or it is about to end")
    }
    const text = `a server has the database, but none answers on ${url}`
    return fail("port", text, "give the --host and --port that it was started with, or look into its log")
  })

/** 0 where no answer came. Who it is that answers is not the question: a certificate is made out to a name. */
export const statusOf = (url: string): Effect.Effect<number> =>
  Effect.tryPromise(() =>
    fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), tls: { rejectUnauthorized: false } })
  ).pipe(
    Effect.map(({ status }) => status),
    Effect.orElseSucceed(() => 0)
  )

/** An address to listen on is not always one to call. */
export const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

const free = ({ host, port }: Address) =>
  Effect.sync(() => {
    if (port === 0) return ok("port", "a free one is taken at the start")
    try {
      Bun.listen({ hostname: host, port, socket: { data: () => {} } }).stop(true)
      return ok("port", `${port} on ${host} is free for the server`)
    } catch {
      const text = `${port} on ${host} cannot be listened on: something else has it, or it is not ours to take`
      return fail("port", text, "serve on another: --port, or SIGNALBOX_PORT")
    }
  })
