// The same as an app of @effect/platform, mounted in a router of yours.
import assert from "node:assert/strict"
import { HttpApp, HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, ManagedRuntime } from "effect"
import { Memory } from "signalbox"
import { app, Http } from "signalbox/http"

const router = HttpRouter.empty.pipe(
  HttpRouter.get("/", HttpServerResponse.text("this is my own page")),
  HttpRouter.mountApp("/trading", app)
)

const runtime = ManagedRuntime.make(Layer.provide(Http.layer({ prefix: "/trading" }), Memory.layer()))
const handle = HttpApp.toWebHandlerRuntime(await runtime.runtime())(
  Effect.catchAll(router, () => HttpServerResponse.empty({ status: 404 }))
)

const own = await handle(new Request("http://localhost/"))
assert.equal(await own.text(), "this is my own page")
const stranger = await handle(new Request("http://localhost/trading/v1/signals"))
assert.equal(stranger.status, 401)
const contract = await handle(new Request("http://localhost/trading/openapi.json"))
assert.match(await contract.text(), /"servers":\[\{"url":"\/trading"\}\]/)
await runtime.dispose()
console.log(
  "in a router of @effect/platform: 401 for a stranger, and the contract, with its address, for all"
)
