// The event stream over HTTP: complete, in order, resumable, and private to its account.
import { afterAll, beforeAll, expect, test } from "bun:test"
import * as Schema from "effect/Schema"
import { EventView } from "../../src/api/Events.ts"
import { MOST_OF_ACCOUNT } from "../../src/http/edge/EventStreams.ts"
import { start, type TestServer } from "../lib/server.ts"

const isEventView = Schema.is(EventView)
let server: TestServer
let signal = 0
beforeAll(async () => {
  server = await start()
  const made = await ask("/v1/signals", {
    method: "POST",
    body: new URLSearchParams("name=a&description=&active=1&public=0")
  })
  const { id }: { readonly id: number } = JSON.parse(await made.text())
  signal = id
})
afterAll(() => server.stop())

const ask = (path: string, init: RequestInit = {}, token = server.ann) => {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${token}`)
  return server.fetch(path, { ...init, headers })
}
const alert = (coin: string) =>
  ask("/v1/signals/alert", {
    method: "POST",
    body: new URLSearchParams(`signal_id=${signal}&coin=${coin}&quote_currency=USDT&type=buy`)
  })

interface Told {
  readonly id: string
  readonly event: string
  readonly coin: string
}

/** Reads a stream until it has sent so many events, and cancels it; returns the id to resume from. */
const follow = async (response: Response, count: number) => {
  const told: Array<Told> = []
  let last = ""
  let text = ""
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (reader !== undefined && told.length < count) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1]
      const [id, event, data] = [field("id"), field("event"), field("data")]
      // An event that was cut off does not count as seen.
      if (told.length < count) last = id ?? last
      if (id === undefined || event === undefined || data === undefined || told.length >= count) continue
      const view: unknown = JSON.parse(data)
      // The event has exactly the fields of the contract.
      expect(isEventView(view, { onExcessProperty: "error" })).toBe(true)
      told.push({ id, event, coin: JSON.parse(data).facts.pair })
    }
  }
  await reader?.cancel()
  return { told, last }
}

test("a new stream begins now, and a resumed one sends each missed event once and in sequence while alerts come in", async () => {
  await alert("OLD")
  const coins = Array.from({ length: 60 }, (_, index) => `C${index}`)
  let response = await ask("/v1/events")
  expect(response.headers.get("content-type")).toBe("text/event-stream")
  expect(response.headers.get("cache-control")).toBe("no-store")
  const sending = (async () => {
    for (const coin of coins) {
      await alert(coin)
      await Bun.sleep(Math.random() * 5)
    }
  })()
  const seen: Array<string> = []
  for (let part = 1; seen.length < coins.length; part = (part * 7) % 13) {
    const { last, told } = await follow(response, Math.min(part, coins.length - seen.length))
    expect(told.every(({ event }) => event === "alert_received")).toBe(true)
    seen.push(...told.map(({ coin }) => coin))
    const header = { headers: { "last-event-id": last } }
    response =
      part % 2 === 0 ? await ask("/v1/events", header) : await ask(`/v1/events?last_event_id=${last}`)
  }
  await sending
  await response.body?.cancel()
  expect(seen).toEqual(coins.map((coin) => `${coin}/USDT`))
})

test("a client cut off before the first event resumes from the start of its stream", async () => {
  const { last } = await follow(await ask("/v1/events"), 0)
  expect(last).toBe("")
  const response = await ask("/v1/events")
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  const id = /^id: (.*)$/m.exec(new TextDecoder().decode(value))?.[1] ?? ""
  await reader?.cancel()
  await alert("MISSED")
  const { told } = await follow(await ask("/v1/events", { headers: { "last-event-id": id } }), 1)
  expect(told.map(({ coin }) => coin)).toEqual(["MISSED/USDT"])
})

test("another account receives none of the events", async () => {
  const response = await ask("/v1/events?last_event_id=0-0", {}, server.bob)
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).not.toContain("data:")
  const silence = Bun.sleep(600).then(() => "silence")
  const heard = reader?.read().then(({ value }) => new TextDecoder().decode(value))
  expect(await Promise.race([silence, heard])).toBe("silence")
  await reader?.cancel()
})

test("the streams of a revoked token end within 5 s even if nobody reads them, and those of other tokens go on", async () => {
  const made = await ask("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scope: "full" })
  })
  const { id, token }: { readonly id: number; readonly token: string } = JSON.parse(await made.text())
  const streams = await Promise.all([ask("/v1/events", {}, token), ask("/v1/events", {}, token)])
  const other = await ask("/v1/events")
  const revoked = performance.now()
  expect((await ask(`/v1/tokens/${id}`, { method: "DELETE" })).status).toBe(200)
  const ends = await Promise.race([
    Promise.all(streams.map((response) => response.text())),
    Bun.sleep(6_000).then(() => "still open")
  ])
  expect(ends).toEqual(streams.map(() => expect.stringMatching(/^retry: 2000\nid: \S+\n\n$/)))
  expect(performance.now() - revoked).toBeLessThan(5_000)
  const { told } = await Promise.all([follow(other, 1), alert("LATER")]).then(([heard]) => heard)
  expect(told.map(({ coin }) => coin)).toEqual(["LATER/USDT"])
})

test("tokens for alerts and malformed ids are refused, and HEAD opens no stream", async () => {
  expect((await ask("/v1/events", {}, server.hook)).status).toBe(403)
  expect((await server.fetch("/v1/events")).status).toBe(401)
  for (const id of ["x", "1", "-1-1", "1-1-1", "01-1", "9999999999999999-1", "1-1&last_event_id=2-2"]) {
    const response = await ask(`/v1/events?last_event_id=${id}`)
    expect([id, response.status]).toEqual([id, 422])
    expect(await response.json()).toMatchObject({ errors: { last_event_id: [expect.any(String)] } })
  }
  const head = await ask("/v1/events", { method: "HEAD" })
  expect([head.status, await head.text()]).toEqual([200, ""])
})

test("an account's number of streams is limited until one is closed, and stopping the server ends them all", async () => {
  const open = await Promise.all(Array.from({ length: MOST_OF_ACCOUNT }, () => ask("/v1/events")))
  expect(open.map(({ status }) => status)).toEqual(open.map(() => 200))
  const refused = await ask("/v1/events")
  expect(refused.status).toBe(429)
  expect(refused.headers.get("retry-after")).toBe("10")
  expect(await refused.json()).toMatchObject({ code: "too_many_streams" })
  const others = await ask("/v1/events", {}, server.bob)
  expect(others.status).toBe(200)
  await open[0]?.body?.cancel()
  const again = await ask("/v1/events")
  expect(again.status).toBe(200)
  const readers = [others, again, ...open.slice(1)].map((response) => response.text())
  const { Effect } = await import("effect")
  const draining = Effect.runPromise(server.edge.drain)
  for (const text of await Promise.all(readers)) expect(text).toStartWith("retry: 2000\nid: ")
  await draining
  expect((await ask("/v1/events")).status).toBe(503)
})
