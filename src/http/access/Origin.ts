/** Host names and ports as they stand in a Host header, as far as one can be an origin's. */
const HOST = /^(?:[a-z0-9._-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ }

/** An origin as browsers write it; nothing where the parts make none. */
const written = (scheme: string, host: string): string | undefined => {
  const [lower, port] = [host.toLowerCase(), DEFAULT_PORTS[scheme]]
  return port !== undefined && HOST.test(lower) ? `${scheme}://${lower.replace(port, "")}` : undefined
}

/** What the first of the proxies that a request came through has said: what its caller wrote. */
const first = (header: string | null): string | undefined => header?.split(",")[0]?.trim().toLowerCase()

/**
 * The server's own origin as the caller of a request sees it: the scheme and the host that it was sent to, or, where a
 * proxy that is believed passed it on, those that the proxy was sent it with. Empty where nobody can tell.
 */
export const of = ({ headers, url }: Pick<Request, "headers" | "url">, isForwarded: boolean): string => {
  const [, scheme = "http", authority = ""] = /^(https?):\/\/([^/?#]*)/i.exec(url) ?? []
  const host = headers.get("host") ?? authority
  const said = (name: string) => (isForwarded ? first(headers.get(name)) : undefined)
  return written(said("x-forwarded-proto") ?? scheme.toLowerCase(), said("x-forwarded-host") ?? host) ?? ""
}

/** What a browser says of where a request comes from. */
export interface Sent {
  readonly origin: string | null | undefined
  readonly fetchSite: string | null | undefined
}

/** Whether a request comes from a page of this very server. What says nothing of where it comes from does not. */
export const isOwn = (sent: Sent, own: string): boolean =>
  own !== "" && sent.origin === own && isSameSite(sent)

/** The same for a request that proves by its body who sends it: there, saying nothing is no flaw. */
export const mayBeOwn = (sent: Sent, own: string): boolean =>
  sent.origin === null || sent.origin === undefined ? isSameSite(sent) : isOwn(sent, own)

/**
 * Whether what is asked for without changing anything may be told: to pages of this server, to whoever typed the
 * address, and to what says nothing. Another port of the same host gets the cookie too, and would hold streams open.
 */
export const mayRead = (sent: Sent): boolean => sent.fetchSite === "none" || isSameSite(sent)

const isSameSite = ({ fetchSite }: Sent): boolean =>
  fetchSite === null || fetchSite === undefined || fetchSite === "same-origin"
