// Detection of callers in the middle of connecting.
import { expect, test } from "bun:test"
import { connect } from "node:net"
import { isConnecting, isHalfOpen } from "../../src/tls/Connecting.ts"

// Rows as Linux 6.1 writes them for a server on port 33273 (0x81F9): a begun connection, a waiting and an accepted one,
// the listener itself, the caller's end, and a begun connection over IPv6.
const BEGUN =
  " 116: 0100007F:81F9 0100007F:E8DE 03 00000000:00000000 01:00000031 00000000     0        0 0 0 00000000699285c0"
const WAITS =
  "  12: 0100007F:81F9 0100007F:E8C2 01 00000000:00000005 00:00000000 00000000     0        0 0 1 00000000c679fb7e 20 0 0 10 -1"
const TAKEN =
  "1440: 0100007F:81F9 0100007F:E8CC 01 00000000:00000000 00:00000000 00000000     0        0 6946554 1 0000000079acacd5 20 4 30 11 -1"
const LISTENS =
  "   1: 0100007F:81F9 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 6946548 2 0000000077de3fca 100 0 0 10 0"
const CALLS =
  "2403: 0100007F:E8DE 0100007F:81F9 01 00000000:00000000 00:00000000 00000000     0        0 6946552 1 0000000031f41d17 21 0 0 10 -1"
const BEGUN_6 =
  "   3: 00000000000000000000000001000000:81F9 00000000000000000000000001000000:D2F0 03 00000000:00000000 01:00000031 00000000     0        0 0 0 0000000000000000"
const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode"

test.each([
  ["has begun", BEGUN, true],
  ["has begun over IPv6", BEGUN_6, true],
  ["waits to be taken up", WAITS, true],
  ["was taken up", TAKEN, false],
  ["listens", LISTENS, false],
  ["calls that port elsewhere", CALLS, false],
  ["is a title", HEAD, false],
  ["is nothing", "", false]
])(
  "a row of the kernel's table is recognised as a caller to this port, or not: it %s",
  (_, row, connects) => {
    expect(isHalfOpen(row, 0x81f9)).toBe(connects)
    expect(isHalfOpen(row, 0x81fa)).toBe(false)
  }
)

test("a caller counts as connecting until it has been answered", async () => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") })
  const port = server.port ?? 0
  expect(isConnecting(port)).toBe(false)
  const caller = connect(port, "127.0.0.1")
  await new Promise((resolve) => caller.once("connect", resolve))
  expect(isConnecting(port)).toBe(true)
  caller.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")
  await new Promise((resolve) => caller.once("data", resolve))
  expect(isConnecting(port)).toBe(false)
  caller.destroy()
  await server.stop(true)
})
