// Targets and request lines that are broken, endless, or have a meaning elsewhere.
import { type Case, get, HEALTHY, one, post, refused } from "./RawCase.ts"

const targets = [
  "",
  "*",
  "x",
  "//",
  "///healthz",
  "/../../etc/passwd",
  "/%2e%2e/%2e%2e/etc/passwd",
  "/v1/signals/..%2f..%2fetc",
  "/healthz#x",
  "/healthz?%zz",
  "/%",
  "/%0",
  "/%00",
  "/%c0%af",
  "/%ff%fe",
  "/v1/signals/%",
  "/v1/signals/%0d%0aX:%20y",
  "/v1/signals/1;x=y",
  "/v1/signals/1?limit=%",
  "/v1/signals?limit=1&limit=2&cursor=%00&cursor[]=1&__proto__=1",
  "/v1/signals/charting?key={key}&%zz=%&key",
  "/v1/signals/charting?key=%&signal_id[__proto__]=1",
  "/__proto__",
  "/constructor",
  "\\healthz",
  "/\xe9\x80",
  "/healthz\x01",
  "/healthz\0",
  "http://",
  "http://localhost",
  "http://[::1",
  "http://evil.example/healthz",
  "http://a@b:99999/healthz",
  "http:///healthz",
  "ftp://evil.example/healthz",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "evil.example:443"
]
export const addresses: ReadonlyArray<Case> = [
  ...targets.flatMap((target) =>
    ["GET", "POST", "OPTIONS"].map((method) =>
      refused(`${method} ${JSON.stringify(target)}`, get(target, "Host: a\r\n", method))
    )
  ),
  ...targets.map((target) =>
    refused(
      `GET ${JSON.stringify(target)} with a token`,
      get(target, "Host: a\r\nAuthorization: Bearer {token}\r\n")
    )
  ),
  refused("CONNECT", get("evil.example:443", "Host: evil.example\r\n", "CONNECT")),
  refused("CONNECT to a path", get("/v1/signals", "Host: a\r\n", "CONNECT")),
  one("TRACE", get("/v1/signals", "Host: a\r\nAuthorization: Bearer {token}\r\n", "TRACE"), 405),
  ...[8000, 16_000, 65_536, 1_000_000].flatMap((length) => [
    refused(`a path of ${length} bytes`, get(`/${"a".repeat(length)}`)),
    refused(
      `an id of ${length} bytes`,
      get(`/v1/signals/${"1".repeat(length)}`, "Host: a\r\nAuthorization: Bearer {token}\r\n")
    ),
    refused(
      `a query of ${length} bytes`,
      get(`/v1/alerts?${"a".repeat(length)}`, "Host: a\r\nAuthorization: Bearer {token}\r\n")
    )
  ]),
  refused("5,000 slashes", get("/".repeat(5000))),
  refused(
    "5,000 fields in the address",
    post("Content-Length: 0", "", `/v1/signals/charting?key={key}&${"a=b&".repeat(3000)}`)
  )
]

export const lines: ReadonlyArray<Case> = [
  refused("HTTP/0.9", "GET /healthz\r\n\r\n"),
  refused("HTTP/0.9, said so", get("/healthz", "", "GET", "HTTP/0.9")),
  refused("HTTP/1.2", get("/healthz", "Host: a\r\n", "GET", "HTTP/1.2")),
  refused("HTTP/2.0", get("/healthz", "Host: a\r\n", "GET", "HTTP/2.0")),
  refused("HTTP/1.1x", get("/healthz", "Host: a\r\n", "GET", "HTTP/1.1x")),
  refused("http/1.1", get("/healthz", "Host: a\r\n", "GET", "http/1.1")),
  refused("HTTP/", get("/healthz", "Host: a\r\n", "GET", "HTTP/")),
  refused("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"),
  refused("a TLS hello", Uint8Array.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3, ...Array(200).fill(7)])),
  refused("SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
  refused("a zero", "\0"),
  refused("zeros", "\0".repeat(5000)),
  refused("empty lines", "\r\n".repeat(1000)),
  refused("a method in lower case", get("/healthz", "Host: a\r\n", "get")),
  refused("a method that is none", get("/healthz", "Host: a\r\n", "G E T")),
  refused("a method of 8 KB", get("/healthz", "Host: a\r\n", "G".repeat(8000))),
  refused("a method without end", "G".repeat(200_000)),
  refused("a proxy's line first", `PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n${HEALTHY}`),
  refused("two spaces", "GET  /healthz  HTTP/1.1\r\nHost: a\r\n\r\n"),
  refused("tabs", "GET\t/healthz\tHTTP/1.1\r\nHost: a\r\n\r\n"),
  refused("nothing but a word", "nonsense\r\n\r\n")
]
