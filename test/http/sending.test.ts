// A stranger asks for the largest answers again and again and reads none: what is held for the stranger stays small,
// and others are answered.
import { expect, test } from "bun:test"
import { LARGE_BYTES, make } from "../../src/http/Sending.ts"

const BOUNDS = {
  totalBytes: 6 * LARGE_BYTES,
  peerBytes: 3 * LARGE_BYTES,
  stuckMs: 1_000,
  startMs: 5_000,
  leastPace: 64
}
const MALLORY = "203.0.113.7"
const text = "x".repeat(LARGE_BYTES)

const stage = () => {
  const clock = { ms: 0 }
  const sending = make(() => clock.ms, BOUNDS)
  const send = (peer: string, body = text) =>
    sending.send(new Response(body, { headers: { "content-length": `${body.length}` } }), peer, "1")
  return { clock, sending, send }
}

test("only large bodies count as being sent", () => {
  const { sending } = stage()
  const isLarge = (length: number, method = "GET") =>
    sending.isLarge(
      new Request("http://a/", { method }),
      new Response("x", { headers: { "content-length": `${length}` } })
    )
  expect([isLarge(LARGE_BYTES - 1), isLarge(LARGE_BYTES), isLarge(LARGE_BYTES, "HEAD")]).toEqual([
    false,
    true,
    false
  ])
})

test("an answer arrives whole with its status and headers, and then counts no more", async () => {
  const { send, sending } = stage()
  const long = Array.from({ length: 3 * LARGE_BYTES }, (_, at) => String.fromCharCode(97 + (at % 26))).join(
    ""
  )
  const response = await send(MALLORY, long)
  expect(sending.bytes()).toBe(3 * LARGE_BYTES)
  expect([response.status, response.headers.get("content-length")]).toEqual([200, `${long.length}`])
  expect(await response.text()).toBe(long)
  expect(sending.bytes()).toBe(0)
})

test("a client that reads nothing is refused further answers, and others are served", async () => {
  const { send, sending } = stage()
  for (let times = 0; times < 3; times++) expect((await send(MALLORY)).status).toBe(200)
  const refused = await send(MALLORY)
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "2"])
  expect(await refused.json()).toMatchObject({ code: "too_much_unread" })
  // Addresses of one network count as one peer.
  for (let last = 1; last < 4; last++) await send(`2001:db8::${last}`)
  expect((await send("2001:db8::9")).status).toBe(429)
  expect(sending.bytes()).toBe(6 * LARGE_BYTES)
})

test("when the total is used up, the client with the most unread is cut off until all hold the same", async () => {
  const { send, sending } = stage()
  const first = await send(MALLORY)
  for (let times = 0; times < 2; times++) await send(MALLORY)
  for (let times = 0; times < 3; times++) await send("2001:db8::1")
  for (let times = 0; times < 2; times++) expect((await send("198.51.100.1")).status).toBe(200)
  expect(first.text()).rejects.toThrow("too slow")
  expect(sending.bytes()).toBe(6 * LARGE_BYTES)
  const more = await send("198.51.100.1")
  expect([more.status, more.headers.get("retry-after")]).toEqual([503, "2"])
})

test("programs on this machine share only the total, because one of them may be a proxy", async () => {
  const { send } = stage()
  for (let times = 0; times < 6; times++) expect((await send("127.0.0.1")).status).toBe(200)
  expect((await send("127.0.0.1")).status).toBe(503)
})

test("a client that reads nothing is cut off when others need the room", async () => {
  const { clock, send } = stage()
  const stuck = await send(MALLORY)
  for (let times = 0; times < 2; times++) await send(MALLORY)
  for (let times = 0; times < 3; times++) await send("203.0.113.8")
  clock.ms = 1_001
  expect((await send("198.51.100.1")).status).toBe(200)
  expect(stuck.text()).rejects.toThrow("too slow")
})

test("a client that reads a little now and then is cut off too, but not one that reads at a fair pace", async () => {
  const { clock, send } = stage()
  const slow = await send(MALLORY, text.repeat(3))
  const reader = slow.body?.getReader()
  for (clock.ms = 900; clock.ms < 1_900; clock.ms += 900) await reader?.read()
  expect((await send(MALLORY)).status).toBe(429)
  clock.ms = 5_000 + (3 * LARGE_BYTES) / 64 + 1
  expect((await send(MALLORY)).status).toBe(200)
})

test("a client that goes away frees its room", async () => {
  const { send, sending } = stage()
  const left = await send(MALLORY)
  await left.body?.cancel()
  expect(sending.bytes()).toBe(0)
})

test("an answer larger than the bound is sent to a client that is sent nothing else", async () => {
  const { send } = stage()
  const huge = await send(MALLORY, text.repeat(9))
  expect(huge.status).toBe(200)
  expect((await send(MALLORY)).status).toBe(429)
  expect((await huge.text()).length).toBe(9 * LARGE_BYTES)
  expect((await send(MALLORY)).status).toBe(200)
})
