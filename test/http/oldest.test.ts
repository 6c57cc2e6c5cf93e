// Callers that speak HTTP/1.0 without a Host header: load balancers' checks, old scripts, scanners.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { connect } from "node:net"
import * as HttpApi from "@effect/platform/HttpApi"
import { Effect, Exit, Layer, Logger, ManagedRuntime, Scope } from "effect"
import { Api } from "../../src/api/Api.ts"
import { type Server, serve } from "../../src/http/serve.ts"
import { NO_LIMITS, type Tokens, tokens, world } from "../lib/server.ts"

const logged: Array<string> = []
const noted = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ logLevel, message }) => {
    if (logLevel.label === "ERROR" || logLevel.label === "FATAL") logged.push(String(message))
  })
)
const runtime = ManagedRuntime.make(Layer.merge(world(NO_LIMITS), noted))
const scope = Effect.runSync(Scope.make())
const place = { host: "127.0.0.1", port: 0 }
let server: Server
let known: Tokens

beforeAll(async () => {
  known = await runtime.runPromise(tokens)
  const pages = (path: string) => (path === "/" ? async () => new Response("page") : undefined)
  const options = { ...place, alerts: place, metrics: { port: 0 }, pages }
  server = await runtime.runPromise(Scope.extend(serve(options), scope))
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
})

/** The status of the answer. A stream of events is closed after its first bytes. */
const ask = (port: number, method: string, path: string, headers = "", body = "") =>
  new Promise<number>((resolve) => {
    let answer = ""
    const socket = connect(port, place.host, () =>
      socket.write(
        `${method} ${path} HTTP/1.0\r\n${headers}${body === "" ? "" : `Content-Length: ${body.length}\r\n`}\r\n${body}`
      )
    )
    socket.setTimeout(5_000, () => socket.destroy())
    socket.on("error", () => {})
    socket.on("data", (bytes) => {
      answer += bytes.toString("latin1")
      if (answer.includes("\r\n\r\n")) socket.destroy()
    })
    socket.on("close", () => resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0)))
  })

const OWN = ["/", "/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/nothing", "//x"]
const routes: Array<readonly [method: string, path: string]> = OWN.flatMap((path) =>
  ["GET", "HEAD", "POST", "OPTIONS"].map((method) => [method, path] as const)
)
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path } }) => {
    // Not the id of a token that this test uses, because the request revokes it.
    routes.push([method, path.replaceAll(/:\w+/g, path.startsWith("/v1/tokens") ? "99" : "1")])
  }
})

describe("every route answers HTTP/1.0 without a Host header and without a fault", () => {
  test.each(["nobody", "token", "session", "key"])(
    "with authentication: %s",
    async (who) => {
      const ports = [server.port, server.alerts?.port ?? 0, server.metrics?.port ?? 0]
      const shown: Readonly<Record<string, string>> = {
        token: `Authorization: Bearer ${known.ann}\r\n`,
        session: `Cookie: signalbox_session=${"a".repeat(43)}\r\n`
      }
      const headers = shown[who] ?? ""
      const query = who === "key" ? `?key=${known.hook}` : ""
      const answers: Array<string> = []
      for (const port of ports)
        for (const [method, path] of routes)
          for (const body of method === "GET" || method === "HEAD" ? [""] : ["", "{}"])
            answers.push(`${method} ${path} ${await ask(port, method, path + query, headers, body)}`)
      expect(answers.length).toBeGreaterThan(300)
      expect(answers.filter((line) => !/ [234]\d\d$/.test(line))).toEqual([])
      expect(logged).toEqual([])
    },
    60_000
  )
})

test("the metrics need a token over HTTP/1.0 too, except on their own port", async () => {
  expect(await ask(server.port, "GET", "/metrics")).toBe(401)
  expect(await ask(server.port, "GET", "/metrics", `Authorization: Bearer ${known.ann}\r\n`)).toBe(200)
  expect(await ask(server.metrics?.port ?? 0, "GET", "/metrics")).toBe(200)
})
