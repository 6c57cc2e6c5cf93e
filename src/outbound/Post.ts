// Posts notifications over HTTP. It resolves a name once, requires every address to be public, and connects to one of
// those addresses by number.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { addressOf } from "../domain/Address.ts"
import { isPublic } from "../domain/internal/PublicAddress.ts"
import { urlError } from "../domain/requests/TargetRequest.ts"
import { Outbound, type Posted, type Posting, Undelivered } from "../services/notify/Outbound.ts"

export interface Options {
  /** Whether a notification may go to a private address, and by plain http. */
  readonly allowPrivate: boolean
  /** Certificate authorities to trust besides the machine's own, as PEM. */
  readonly ca?: string
  /** Resolves a host name to its addresses. */
  readonly resolve?: (name: string) => Promise<ReadonlyArray<string>>
}

/** The limit for one post, from name resolution to the last byte read, and the most bytes read of a response. */
const USUAL = { timeoutMs: 10_000, maxBytes: 4_096 }
/** The most addresses of one name to try. */
const MOST_TRIES = 4

const resolved = async (name: string): Promise<ReadonlyArray<string>> => {
  const { lookup } = await import("node:dns/promises")
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
}

/**
 * Posts without following a redirect. Connecting by number keeps a second name resolution from reaching a private
 * address; the name goes into `Host` and into the TLS handshake.
 */
export const layer = ({ allowPrivate, ca, resolve = resolved }: Options) => {
  const post = async (posting: Posting, interrupted: AbortSignal): Promise<Posted> => {
    const { maxBytes, timeoutMs } = posting.patience ?? USUAL
    // The timeout runs in real time, even where the program's clock is a test's or a replay's.
    const signal = AbortSignal.any([interrupted, AbortSignal.timeout(timeoutMs)])
    const error = posting.trusted ? undefined : urlError(posting.url, { allowPrivate })
    if (error !== undefined) throw new Rejection(`its address ${error}`)
    const url = new URL(posting.url)
    const name = nameOf(url)
    const addresses = isAddress(name) ? [name] : await until(signal, resolve(name))
    if (!posting.trusted && !allowPrivate && !addresses.every(isPublic))
      throw new Rejection("its name stands for an address that is not public, and nothing was sent")
    const request = requestOf(posting, url, { name, ca, signal })
    const response = await firstOf(addresses.slice(0, MOST_TRIES), (address) =>
      fetch(at(url, address), request)
    )
    return read(response, maxBytes)
  }
  return Layer.succeed(Outbound, {
    post: (posting) =>
      Effect.tryPromise({
        try: (signal) => post(posting, signal),
        catch: (cause) => new Undelivered({ reason: wordsOf(cause) })
      })
  })
}

/**
 * Returns the first response. It tries the next address only while connecting fails: DNS may name IPv6 addresses on a
 * machine without IPv6.
 */
const firstOf = async <A>(
  [address, ...others]: ReadonlyArray<string>,
  ask: (address: string) => Promise<A>
): Promise<A> => {
  if (address === undefined) throw new Rejection("its name has no address")
  try {
    return await ask(address)
  } catch (cause) {
    // Try the next address only after an error that proves that nothing was sent.
    if (others.length === 0 || !/REFUSED|UNREACH|NOTAVAIL/i.test(codeOf(cause))) throw cause
    return firstOf(others, ask)
  }
}

/** A rejection by this file, whose message is safe to show. */
class Rejection extends Error {}

const nameOf = ({ hostname }: URL): string => (hostname.startsWith("[") ? hostname.slice(1, -1) : hostname)
const isAddress = (name: string): boolean => addressOf(name) !== undefined

/** The URL with its host name replaced by an address. */
const at = (url: URL, address: string): URL => {
  const numbered = new URL(url)
  numbered.hostname = address.includes(":") ? `[${address.split("%")[0]}]` : address
  return numbered
}

const requestOf = (
  { body, headers }: Posting,
  url: URL,
  {
    ca,
    name,
    signal
  }: { readonly name: string; readonly ca: string | undefined; readonly signal: AbortSignal }
): BunFetchRequestInit => ({
  method: "POST",
  body,
  headers: { ...headers, host: url.host, "accept-encoding": "identity", "user-agent": "signalbox" },
  signal,
  redirect: "manual",
  // Never reuse a connection: it may belong to another host name.
  keepalive: false,
  decompress: false,
  tls: { ...(isAddress(name) ? {} : { serverName: name }), ...(ca === undefined ? {} : { ca }) }
})

/** Reads the start of a response and cancels the rest. */
const read = async (response: Response, maxBytes: number): Promise<Posted> => {
  const { headers, status } = response
  const chunks: Array<Uint8Array> = []
  let size = 0
  const reader = response.body?.getReader()
  while (reader !== undefined && size < maxBytes) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value.subarray(0, maxBytes - size))
    size += value.length
  }
  await reader?.cancel()
  const after = Number(headers.get("retry-after") ?? 0)
  return {
    status,
    retryAfterSeconds: after > 0 && Number.isFinite(after) ? after : 0,
    text: new TextDecoder().decode(Buffer.concat(chunks))
  }
}

/** Ends the wait for a promise that cannot be cancelled when the signal aborts. */
const until = <A>(signal: AbortSignal, promise: Promise<A>): Promise<A> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  ])

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : ""

/** Why a post failed, for the user. The text must not contain the target's address. */
const wordsOf = (cause: unknown): string => {
  if (cause instanceof Rejection) return cause.message
  const code = codeOf(cause)
  if (cause instanceof Error && cause.name === "TimeoutError") return "no answer within 10 s"
  if (/REFUSED/i.test(code)) return "nobody listens there: the connection was refused"
  if (/NOTFOUND|EAI_|DNS/i.test(code)) return "its name cannot be resolved"
  if (/CERT|TLS|SSL|ISSUER|SIGNATURE/i.test(code)) return "its certificate is not valid"
  return "the connection failed"
}
