// The same-origin rule of sessions (CSRF): a request that changes something needs an `Origin` that equals the server's
// own, as the caller sees it.

/** A Host header that can be part of an origin. */
const HOST = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ }

/** An origin as browsers write it; undefined where the parts make none. */
const written = (scheme: string, host: string): string | undefined => {
  const [lower, port] = [host.toLowerCase(), DEFAULT_PORTS[scheme]]
  return port !== undefined && HOST.test(lower) ? `${scheme}://${lower.replace(port, "")}` : undefined
}

/** The first value of a forwarded header: the one that the outermost proxy set. */
const first = (header: string | null): string | undefined => header?.split(",")[0]?.trim().toLowerCase()

/**
 * The server's own origin as the caller sees it: the scheme and host that the request was sent to, or those that a
 * trusted proxy received it with. Empty where unknown.
 */
export const of = ({ headers, url }: Pick<Request, "headers" | "url">, isForwarded: boolean): string => {
  const [, scheme = "http", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? []
  const host = headers.get("host") ?? authority
  const forwarded = (name: string) => (isForwarded ? first(headers.get(name)) : undefined)
  return (
    written(forwarded("x-forwarded-proto") ?? scheme.toLowerCase(), forwarded("x-forwarded-host") ?? host) ??
    ""
  )
}

/** A browser's headers about where a request comes from. */
export interface Sent {
  readonly origin: string | null | undefined
  readonly fetchSite: string | null | undefined
}

/** Whether a request comes from a page of this very server. A request without an `Origin` does not. */
export const isOwn = (sent: Sent, own: string): boolean =>
  own !== "" && sent.origin === own && isSameSite(sent)

/** `isOwn` for a request whose body authenticates it: it needs no `Origin`. */
export const mayBeOwn = (sent: Sent, own: string): boolean =>
  sent.origin === null || sent.origin === undefined ? isSameSite(sent) : isOwn(sent, own)

/**
 * Whether a read may be answered: to pages of this server, to typed addresses, and to clients without these headers.
 * Other ports of the same host are refused: browsers send them the cookie too, and they could hold streams open.
 */
export const mayRead = (sent: Sent): boolean => sent.fetchSite === "none" || isSameSite(sent)

const isSameSite = ({ fetchSite }: Sent): boolean =>
  fetchSite === null || fetchSite === undefined || fetchSite === "same-origin"
