// The notation of malformed requests. `{token}` is a token of scope full, `{key}` one for alerts.
/** The permitted answers, which are never 5xx. */
export interface Case {
  readonly name: string
  readonly bytes: string | Uint8Array
  /** The greatest number of answers. More would mean that a request was smuggled in. */
  readonly answers: number
  /** The permitted first answers. If absent, the server may also close without an answer. */
  readonly status?: ReadonlyArray<number>
}

export const HEALTHY = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
export const SMUGGLED =
  "POST /v1/signals HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n" +
  "Content-Type: application/json\r\nContent-Length: 67\r\n\r\n" +
  '{"name":"SMUGGLED","description":"","active":true,"public":false  }\n'

export const get = (target: string, lines = "Host: localhost\r\n", method = "GET", version = "HTTP/1.1") =>
  `${method} ${target} ${version}\r\n${lines}\r\n`
export const post = (lines: string, body: string, target = "/v1/signals/charting?key={key}") =>
  `POST ${target} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n${body}`
export const header = (line: string) => get("/healthz", `Host: localhost\r\n${line}\r\n`)

/** The request is refused or the connection is closed, and nothing follows. */
export const refused = (name: string, bytes: string | Uint8Array): Case => ({ name, bytes, answers: 1 })
export const one = (name: string, bytes: string | Uint8Array, ...status: ReadonlyArray<number>): Case => ({
  name,
  bytes,
  answers: 1,
  status
})
