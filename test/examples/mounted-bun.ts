// The whole interface as one function from Request to Response, inside a server of Bun that has routes of its own.
import assert from "node:assert/strict"
import { Memory } from "signalbox"
import { toWebHandler } from "signalbox/http"

const trading = toWebHandler(Memory.layer(), { prefix: "/trading" })
const server = Bun.serve({
  ...{ hostname: "127.0.0.1", port: 0 },
  routes: {
    "/": new Response("this is my own page"),
    "/trading/*": (request, server) => trading.handle(request, server.requestIP(request)?.address)
  }
})

const own = await fetch(server.url)
assert.equal(await own.text(), "this is my own page")
const health = await fetch(new URL("/trading/healthz", server.url))
assert.equal(health.status, 200)
const stranger = await fetch(new URL("/trading/v1/strategies", server.url))
assert.equal(stranger.status, 401)
assert.equal(stranger.headers.get("content-type"), "application/problem+json")

await server.stop(true)
await trading.dispose()
console.log(`beneath /trading: health is ${health.status}, a stranger ${stranger.status}; my own page at /`)
