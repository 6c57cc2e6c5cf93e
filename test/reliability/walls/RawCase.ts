// How a request that no honest client sends is written down. `{token}` is a token of scope full, `{key}` one for alerts.
/** What may come back. Never a 5xx, whatever the case. */
export interface Case {
  readonly name: string
  readonly bytes: string | Uint8Array
  /** The most answers that may come: more, and something was smuggled in. */
  readonly answers: number
  /** What the first answer may be; where it is left out it may also be silence and a closed connection. */
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

/** Refused, or the connection is closed without a word: in either case nothing comes after it. */
export const refused = (name: string, bytes: string | Uint8Array): Case => ({ name, bytes, answers: 1 })
export const one = (name: string, bytes: string | Uint8Array, ...status: ReadonlyArray<number>): Case => ({
  name,
  bytes,
  answers: 1,
  status
})
