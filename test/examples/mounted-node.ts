// The whole interface beneath /trading of a server that does other things as well, here Node's own.
import assert from "node:assert/strict"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { Accounts, Memory } from "signalbox"
import { Http } from "signalbox/http"
import { listen } from "./lib/nodeServer.ts"

const app = ManagedRuntime.make(Http.layer({ prefix: "/trading" }).pipe(Layer.provideMerge(Memory.layer())))
const { handle } = await app.runPromise(Http)
const { url, close } = await listen(async (request, peer) =>
  new URL(request.url).pathname.startsWith("/trading/")
    ? handle(request, peer)
    : new Response("this is my own page")
)

const issue = Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))
const { secret } = await app.runPromise(issue)
const authorization = `Bearer ${Redacted.value(secret)}`

const own = await fetch(`${url}/`)
assert.equal(await own.text(), "this is my own page")
const body = new URLSearchParams({ name: "Mine", description: "", active: "1", public: "0" })
const made = await fetch(`${url}/trading/v1/signals`, { method: "POST", headers: { authorization }, body })
assert.equal(made.status, 201)
const listed = await fetch(`${url}/trading/v1/signals?limit=1`, { headers: { authorization } })
assert.match(await listed.text(), /"name":"Mine"/)
const stranger = await fetch(`${url}/trading/v1/signals`)
assert.equal(stranger.status, 401)
const elsewhere = await handle(new Request("http://localhost/tradingv1/signals"))
assert.equal(elsewhere.status, 404)

await close()
await app.dispose()
console.log("beneath /trading: a record made and listed, 401 for a stranger; my own page at /")
