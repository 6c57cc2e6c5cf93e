// The path and query of a request, taken from the raw address: no decoding, and no trust in the Host header.

/** The target of a request, without the host. */
export interface Target {
  readonly path: string
  /** Without its question mark; empty where there is none. */
  readonly query: string
}

const HOST = /^(?:[A-Za-z0-9._-]{0,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/

/**
 * The target of a request; undefined where its Host header is not one host: malformed, or sent twice. `new URL` would
 * throw on some of these.
 */
export const targetOf = (request: Request): Target | undefined => {
  const host = request.headers.get("host")
  if (host !== null && !HOST.test(host)) return undefined
  const { url } = request
  // HTTP/1.0 may omit the Host header: then the address is the path alone.
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3)
  if (start < 0) return { path: "/", query: "" }
  const mark = url.indexOf("?", start)
  return mark < 0
    ? { path: url.slice(start), query: "" }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) }
}
