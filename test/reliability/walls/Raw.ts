// Malformed requests, byte for byte.
import { addresses, lines } from "./RawAddresses.ts"
import { type Case, get, HEALTHY, header, one, post, refused, SMUGGLED } from "./RawCase.ts"

const smuggling: ReadonlyArray<Case> = [
  refused("CL and TE", post("Content-Length: 5\r\nTransfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE and CL", post("Transfer-Encoding: chunked\r\nContent-Length: 5", `0\r\n\r\n${SMUGGLED}`)),
  refused("CL.TE, 0 first", post("Content-Length: 6\r\nTransfer-Encoding: chunked", `0\r\n\r\nG${SMUGGLED}`)),
  refused("TE twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", SMUGGLED)),
  refused("TE of two codings", post("Transfer-Encoding: chunked, identity", SMUGGLED)),
  refused("TE that ends otherwise", post("Transfer-Encoding: chunked, gzip", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE unknown", post("Transfer-Encoding: xchunked", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE with a tab", post("Transfer-Encoding:\tchunkedx", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE in quotes", post('Transfer-Encoding: "chunked"', `0\r\n\r\n${SMUGGLED}`)),
  refused("TE with a control", post("Transfer-Encoding: \x0bchunked", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE identity", post("Transfer-Encoding: identity", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE empty", post("Transfer-Encoding: ", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE, space before the colon", post("Transfer-Encoding : chunked", `0\r\n\r\n${SMUGGLED}`)),
  refused("TE on a folded line", post("X: y\r\n Transfer-Encoding: chunked", `0\r\n\r\n${SMUGGLED}`)),
  refused(
    "TE in HTTP/1.0",
    `POST /v1/signals/charting HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`
  ),
  refused("CL twice", post("Content-Length: 4\r\nContent-Length: 5", `{}  ${SMUGGLED}`)),
  refused("CL in a list", post("Content-Length: 4, 5", `{}  ${SMUGGLED}`)),
  refused("CL with a sign", post("Content-Length: +4", `{}  ${SMUGGLED}`)),
  refused("CL below zero", post("Content-Length: -1", `{}  ${SMUGGLED}`)),
  refused("CL in hex", post("Content-Length: 0x4", `{}  ${SMUGGLED}`)),
  refused("CL with an exponent", post("Content-Length: 4e0", `{}  ${SMUGGLED}`)),
  refused("CL with a space within", post("Content-Length: 4 4", `{}  ${SMUGGLED}`)),
  refused("CL empty", post("Content-Length: ", `{}  ${SMUGGLED}`)),
  refused("CL of 2^64", post("Content-Length: 18446744073709551616", `{}  ${SMUGGLED}`)),
  refused("CL of 2^64 + 4", post("Content-Length: 18446744073709551620", `{}  ${SMUGGLED}`)),
  refused("CL of 30 digits", post("Content-Length: 999999999999999999999999999999", `{}  ${SMUGGLED}`)),
  refused("CL, space before the colon", post("Content-Length : 4", `{}  ${SMUGGLED}`))
]

const chunk = (body: string) => post("Transfer-Encoding: chunked", body)
const chunks: ReadonlyArray<Case> = [
  refused("a chunk size below zero", chunk(`-1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size in 0x", chunk(`0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size of no digits", chunk(`zz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size that is empty", chunk(`\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size of 17 digits", chunk(`10000000000000002\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size of 16 F", chunk(`FFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk size of 8 F", chunk(`FFFFFFFF\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("a chunk longer than it says", chunk(`2\r\n{}xx\r\n0\r\n\r\n${SMUGGLED}`)),
  refused("chunks with bare LF", chunk(`2\n{}\n0\n\n${SMUGGLED}`)),
  refused("a chunk that ends too early", chunk("ffff\r\n{}\r\n")),
  refused("a chunk extension without end", chunk(`2;${"x".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`)),
  {
    name: "trailers",
    bytes: chunk("2\r\n{}\r\n0\r\nAuthorization: Bearer {token}\r\n\r\n"),
    // The runtime reads the rest as a broken request: its own refusal follows, and it closes.
    answers: 2
  },
  one("a chunked body of 64 KiB and one", chunk(`10001\r\n${"x".repeat(65_537)}\r\n0\r\n\r\n`), 413),
  one("20,000 chunks of a byte", chunk(`${"1\r\nx\r\n".repeat(20_000)}0\r\n\r\n`), 400, 422)
]

const hosts = [
  "",
  "a b",
  "a/b",
  "a\\b",
  "a,b",
  "a@b",
  "a?b",
  "a#b",
  "%00",
  "é",
  "a\tb",
  "[::1",
  "[",
  "a:b:c:d"
]
const messages: ReadonlyArray<Case> = [
  one("two Hosts", get("/healthz", "Host: a\r\nHost: b\r\n"), 400),
  refused("no Host", get("/healthz", "")),
  ...hosts.map((host) => refused(`Host: ${host}`, get("/healthz", `Host: ${host}\r\n`))),
  refused("a Host of 8 KB", get("/healthz", `Host: ${"a".repeat(8000)}\r\n`)),
  one("a Host with a port that is none", get("/healthz", "Host: a:99999\r\n"), 200, 400),
  refused("NUL in a value", header("X: a\0b")),
  refused("NUL in a name", header("X\0Y: a")),
  refused("a bare CR in a value", header("X: a\rY: b")),
  refused("a bare LF in a value", header("X: a\nY: b")),
  refused("a header without a colon", header("nonsense")),
  refused("a header without a name", header(": nothing")),
  refused("a space in a name", header("X Y: a")),
  refused("a folded header", header("X: a\r\n  b")),
  refused("the first header folded", get("/healthz", " X: a\r\nHost: localhost\r\n")),
  refused("bare LF everywhere", "GET /healthz HTTP/1.1\nHost: localhost\n\n"),
  refused("bytes above 127 in a name", header("\xff\xfe: a")),
  one("bytes above 127 in a value", header("X: \xff\xfe\x80"), 200, 400),
  refused("200 headers", header(Array.from({ length: 200 }, (_, i) => `X-${i}: a`).join("\r\n"))),
  refused("20,000 headers", header(Array.from({ length: 20_000 }, (_, i) => `X-${i}: a`).join("\r\n"))),
  refused("a header of 1 MB", header(`X: ${"a".repeat(1_000_000)}`)),
  refused("a name of 64 KB", header(`${"X".repeat(65_536)}: a`)),
  one("Expect of something else", header("Expect: the-unexpected"), 200, 417),
  one(
    "an upgrade to a web socket",
    header(
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    ),
    200,
    400,
    426
  ),
  one(
    "an upgrade to HTTP/2",
    header("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk"),
    200
  ),
  one("a range of bytes", header("Range: bytes=0-0,1-1,-1,99999999999999999999-"), 200),
  one(
    "two tokens",
    get("/v1/signals", "Host: a\r\nAuthorization: Bearer {token}\r\nAuthorization: Bearer x\r\n"),
    200,
    400,
    401
  ),
  one(
    "a token of 10 KB",
    get("/v1/signals", `Host: a\r\nAuthorization: Bearer ${"a".repeat(10_000)}\r\n`),
    401
  )
]

const bodies: ReadonlyArray<Case> = [
  one("a body of 64 KiB", post("Content-Length: 65536", "x".repeat(65_536)), 400, 422),
  one("a body of 64 KiB and one", post("Content-Length: 65537", "x".repeat(65_537)), 413),
  one("a body of 1 TB, declared", post("Content-Length: 1099511627776", "x".repeat(1000)), 413),
  one(
    "a body of 1 TB, to the records",
    post(
      "Authorization: Bearer {token}\r\nContent-Length: 1099511627776",
      "x".repeat(1000),
      "/v1/strategies"
    ),
    413
  ),
  one("gzip that is none", post("Content-Encoding: gzip\r\nContent-Length: 4", "{}  "), 400, 415, 422),
  one(
    "gzip",
    post("Content-Encoding: gzip\r\nContent-Length: 22", Buffer.from(Bun.gzipSync("{}")).toString("latin1")),
    400,
    415,
    422
  ),
  one(
    "a multipart form without a boundary",
    post("Content-Type: multipart/form-data\r\nContent-Length: 4", "--x\n"),
    400
  ),
  one(
    "a multipart form that never ends",
    post(
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 30",
      "--x\r\nContent-Disposition: form"
    ),
    400
  ),
  one(
    "a multipart form of 5,000 parts",
    post(
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 55005",
      `${"--x\r\n\r\n\r\na\r\n".repeat(5000).slice(0, 55_000)}--x--`
    ),
    400,
    422
  ),
  one(
    "a form of 20,000 fields",
    post("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000", "a=&".repeat(20_000)),
    400,
    422
  ),
  refused("a body with GET", `${get("/healthz", "Host: a\r\nContent-Length: 67\r\n")}${SMUGGLED.slice(-67)}`),
  refused(
    "a body with DELETE",
    `DELETE /v1/signals/999 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\nContent-Length: 4\r\n\r\nabcd`
  )
]

const pipelines: ReadonlyArray<Case> = [
  { name: "100 requests at once", bytes: HEALTHY.repeat(100), answers: 100, status: [200] },
  {
    name: "an alert and a look",
    bytes: post("Content-Length: 2", "{}") + HEALTHY,
    answers: 2,
    status: [422]
  },
  {
    name: "a refused one and a look",
    bytes: post("Content-Length: 2", "{}", "/v1/strategies") + HEALTHY,
    answers: 2,
    status: [401]
  },
  {
    name: "one too large, and a look within it",
    bytes: post(`Content-Length: ${70_000 + HEALTHY.length}`, "x".repeat(70_000) + HEALTHY),
    answers: 1,
    status: [413]
  },
  {
    name: "nonsense after a good one",
    bytes: `${HEALTHY}\0\0\0\r\n\r\n${HEALTHY}`,
    answers: 2,
    status: [200]
  }
]

export const cases: ReadonlyArray<Case> = [
  ...smuggling,
  ...chunks,
  ...messages,
  ...bodies,
  ...addresses,
  ...lines,
  ...pipelines
]
