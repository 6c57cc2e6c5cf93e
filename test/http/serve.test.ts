// A listening server: limits at the socket, proxies, and an orderly end.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import { Effect, Exit, Layer, Logger, ManagedRuntime, Option, Scope } from "effect"
import { Departure } from "../../src/http/edge/Departure.ts"
import { ServeError } from "../../src/http/edge/Listener.ts"
import * as Proxies from "../../src/http/edge/Proxies.ts"
import { type Server, serve } from "../../src/http/serve.ts"
import { parse } from "../lib/exposition.ts"
import { NO_LIMITS, type Tokens, tokens, world } from "../lib/server.ts"

const quiet = Logger.replace(Logger.defaultLogger, Logger.none)
const runtime = ManagedRuntime.make(Layer.merge(world(NO_LIMITS), quiet))
let scope: Scope.CloseableScope
let server: Server
let known: Tokens

beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  const proxies = Option.getOrThrow(Proxies.parse("127.0.0.1"))
  server = await runtime.runPromise(Scope.extend(serve({ host: "127.0.0.1", port: 0, proxies }), scope))
  known = await runtime.runPromise(tokens)
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
})

/** Sends bytes as they are; returns the bytes that came until the server closed or was silent for a while. */
const raw = (text: string, quietMs = 150): Promise<string> =>
  new Promise((resolve) => {
    let answer = ""
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text))
    let timer = setTimeout(() => socket.destroy(), quietMs * 10)
    socket.on("data", (data) => {
      answer += data
      clearTimeout(timer)
      timer = setTimeout(() => socket.destroy(), quietMs)
    })
    socket.on("error", () => {})
    socket.on("close", () => resolve(answer))
  })

const hook = (headers: string, body: string) =>
  raw(`POST /v1/signals/charting?key=${known.hook} HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}`)
const chunked = (chunks: number) => `${`2000\r\n${"x".repeat(0x2000)}\r\n`.repeat(chunks)}0\r\n\r\n`

test("the metrics need a token from this machine too, because a proxy on it may hide the caller", async () => {
  const own = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${known.ann}` } })
  expect(own.status).toBe(200)
  const resident =
    parse(await own.text())
      .get("process_resident_memory_bytes")
      ?.samples.get("") ?? 0
  expect(resident).toBeGreaterThan(2 ** 20)
  for (const headers of [{}, { "x-forwarded-for": "203.0.113.9" }, { "x-forwarded-for": "127.0.0.1" }])
    expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(401)
})

describe("over a socket", () => {
  test.each([
    ["one host", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200"],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HTTP/1.1 400"],
    ["a host that is a path", "GET /healthz HTTP/1.1\r\nHost: a/b c\r\n\r\n", "HTTP/1.1 400"],
    ["no host, HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", "HTTP/1.1 200"],
    ["an absolute address", "GET http://b/healthz HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200"],
    ["TRACE", "TRACE /v1/signals HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 405"],
    [
      "two lengths",
      "POST /v1/signals HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 400"
    ]
  ])("%s is answered by its status", async (_, request, status) => {
    expect(await raw(request)).toStartWith(status)
  })

  test("a HEAD request is answered without a body", async () => {
    expect(await raw("HEAD /v1/signals HTTP/1.1\r\nHost: a\r\n\r\n")).toMatch(/^HTTP\/1\.1 401[^{]*$/)
  })

  test("a body whose length is declared as too large is refused before it is sent", async () => {
    expect(await hook("Content-Length: 200000000", "abc")).toMatch(/^HTTP\/1\.1 413[\s\S]*body_too_large/)
  })

  test("a body of unknown length is read up to the limit", async () => {
    expect(await hook("Transfer-Encoding: chunked", chunked(9))).toMatch(
      /^HTTP\/1\.1 413[\s\S]*body_too_large/
    )
    expect(await hook("Transfer-Encoding: chunked", chunked(8))).toStartWith("HTTP/1.1 400")
  })

  test("wrong tokens count for the client that a trusted proxy names, not for the proxy", async () => {
    const wrong = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/v1/alerts`, { headers: { authorization: "Bearer wrong", ...headers } }))
        .status
    const from = (client: string) => ({ "x-forwarded-for": `192.0.2.1, ${client}` })
    for (let index = 0; index < 10; index++) expect(await wrong(from("198.51.100.1"))).toBe(401)
    expect(await wrong(from("198.51.100.1"))).toBe(429)
    expect(await wrong(from("198.51.100.2"))).toBe(401)
    expect(await wrong({})).toBe(401)
  })

  test("a port in use is reported as such", async () => {
    const again = serve({ host: "127.0.0.1", port: server.port })
    const error = await runtime.runPromise(Effect.flip(Effect.scoped(again)))
    expect(error).toMatchObject({ _tag: "ServeError", reason: "port_in_use" })
    expect(error.message).toBe(`127.0.0.1:${server.port} is in use: another program listens there`)
  })

  test("a port that the user may not take names what a port below 1024 needs", () => {
    const message = (port: number) =>
      new ServeError({ reason: "not_permitted", host: "127.0.0.1", port }).message
    expect(message(443)).toBe(
      "127.0.0.1:443 needs a permission that this user does not have, as ports below 1024 do; a systemd unit grants it by AmbientCapabilities"
    )
    expect(message(1024)).toBe("127.0.0.1:1024 needs a permission that this user does not have")
  })

  test("stopping ends streams of events at once", async () => {
    const own = Effect.runSync(Scope.make())
    const second = await runtime.runPromise(Scope.extend(serve({ host: "127.0.0.1", port: 0 }), own))
    const headers = { authorization: `Bearer ${known.ann}` }
    const stream = await fetch(`${second.url}/v1/events`, { headers })
    expect(stream.headers.get("content-type")).toBe("text/event-stream")
    const told = stream.text()
    const started = performance.now()
    await Effect.runPromise(Scope.close(own, Exit.void))
    expect(await told).toStartWith("retry: 2000\nid: ")
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test("a server that leaves what it has to others serves until they have it, and is not ready meanwhile", async () => {
    const own = Effect.runSync(Scope.make())
    const [left, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const leave = Effect.promise(() => {
      leaving.resolve()
      return left.promise
    })
    const second = await runtime.runPromise(
      serve({ host: "127.0.0.1", port: 0 }).pipe(
        Effect.provideService(Departure, { leave }),
        Scope.extend(own)
      )
    )
    const statusOf = async (path: string) => (await fetch(`${second.url}${path}`)).status
    expect(await statusOf("/readyz")).toBe(200)
    const stopped = Effect.runPromise(Scope.close(own, Exit.void))
    await leaving.promise
    // Longer than a server that is alone serves on.
    await Bun.sleep(600)
    expect([await statusOf("/readyz"), await statusOf("/v1/signals")]).toEqual([503, 401])
    left.resolve()
    await stopped
    expect(await statusOf("/readyz").catch(() => "closed")).toBe("closed")
  })

  test("stopping answers requests in flight, and rejects new ones", async () => {
    const own = Effect.runSync(Scope.make())
    const second = await runtime.runPromise(Scope.extend(serve({ host: "127.0.0.1", port: 0 }), own))
    let finish = () => {}
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("{"))
        finish = () => controller.close()
      }
    })
    const address = `${second.url}/v1/signals/charting?key=${known.hook}`
    const slow = fetch(address, { method: "POST", body })
    await Bun.sleep(100)
    const stopped = Effect.runPromise(Scope.close(own, Exit.void))
    await Bun.sleep(50)
    expect((await fetch(`${second.url}/readyz`)).status).toBe(503)
    // A request that was on its way when the stop began is served.
    expect((await fetch(`${second.url}/v1/signals`)).status).toBe(401)
    await Bun.sleep(400)
    const late = await fetch(`${second.url}/v1/signals`)
    expect([late.status, late.headers.get("connection")]).toEqual([503, "close"])
    expect((await fetch(`${second.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
    finish()
    expect((await slow).status).toBe(400)
    await stopped
    expect(await fetch(`${second.url}/healthz`).catch(() => "gone")).toBe("gone")
  })
})
