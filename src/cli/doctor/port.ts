// Checks the server's port: a running server must answer on it, and otherwise it must be free.
import * as Effect from "effect/Effect"
import { type Check, fail, GUIDE, ok } from "./Check.ts"

const PATIENCE_MS = 3_000

/** The address on which the server listens, or would listen. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** A check of the port. */
export const port = (address: Address, isServed: boolean): Effect.Effect<Check> =>
  isServed ? answering(address) : free(address)

const answering = ({ host, port }: Address) =>
  Effect.gen(function* () {
    const { status: health, url } = yield* serverAt({ host, port }, "/healthz")
    const ready = yield* statusOf(`${url}/readyz`)
    if (health === 200 && ready === 200) return ok("port", `the server answers on ${url}, and is ready`)
    if (health === 200) {
      const text = `the server answers on ${url}, but is not ready (${ready})`
      return fail(
        "port",
        text,
        "its log says why: the disk may be full, or the server may be stopping",
        GUIDE.checks
      )
    }
    const text = `a server uses the database, but none answers on ${reachable(host)}:${port}`
    return fail(
      "port",
      text,
      "use the --host and --port that the server was started with, or read its log",
      GUIDE.settings
    )
  })

/** The address that a server answers on, with TLS or without, and its status for a path: 0 without an answer. */
export const serverAt = Effect.fnUntraced(function* ({ host, port }: Address, path: string) {
  const place = `${reachable(host)}:${port}`
  const plain = yield* statusOf(`http://${place}${path}`)
  // A server with TLS does not answer plain http.
  const status = plain === 0 ? yield* statusOf(`https://${place}${path}`) : plain
  return { status, url: plain === 0 && status !== 0 ? `https://${place}` : `http://${place}` }
})

/** The status of a response, 0 without one. The certificate is not verified: it names the public host. */
export const statusOf = (url: string): Effect.Effect<number> =>
  Effect.tryPromise(() =>
    fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), tls: { rejectUnauthorized: false } })
  ).pipe(
    Effect.map(({ status }) => status),
    Effect.orElseSucceed(() => 0)
  )

/** An address to call for an address to listen on. */
export const reachable = (host: string): string => {
  if (host === "0.0.0.0") return "127.0.0.1"
  if (host === "::") return "[::1]"
  return host.includes(":") ? `[${host}]` : host
}

const free = ({ host, port }: Address) =>
  Effect.sync(() => {
    if (port === 0) return ok("port", "the server picks a free one at its start")
    try {
      Bun.listen({ hostname: host, port, socket: { data: () => {} } }).stop(true)
      return ok("port", `${port} on ${host} is free for the server`)
    } catch {
      const text = `${port} on ${host} cannot be listened on: another program uses it, or it needs more permissions`
      return fail("port", text, "choose another port with --port or SIGNALBOX_PORT", GUIDE.settings)
    }
  })
