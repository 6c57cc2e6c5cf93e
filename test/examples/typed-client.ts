// The typed client, from the contract alone: nothing of the server stands behind "signalbox/api".
import assert from "node:assert/strict"
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Effect, Layer, ManagedRuntime, Option, Redacted } from "effect"
import { Accounts, Memory } from "signalbox"
import { Api } from "signalbox/api"
import { Http } from "signalbox/http"
import { listen } from "./lib/nodeServer.ts"

// A server in memory, as it might run somewhere else, without its limits of requests a second.
const server = ManagedRuntime.make(
  Http.layer().pipe(Layer.provideMerge(Memory.layer({ rates: { crud: 0, alert: 0 } })))
)
const { handle } = await server.runPromise(Http)
const { url, close } = await listen(handle)
const { secret } = await server.runPromise(
  Effect.flatMap(Accounts, (accounts) => accounts.issue("me", "full", Option.none()))
)

const calls = Effect.gen(function* () {
  const client = yield* HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(Redacted.value(secret)))
  })
  const draft = { name: "Mine", description: "", active: true, public: false }
  const signal = yield* client.signals.create({ payload: draft, headers: {} })
  const { data } = yield* client.signals.list({ urlParams: {} })
  assert.deepEqual(data, [signal])
  // Errors are values with their fields, told apart by tag.
  const missing = yield* Effect.flip(client.signals.get({ path: { id: 99 } }))
  assert(missing._tag === "Problem" && missing.status === 404)
  return `signal ${signal.id} was made and listed; of signal 99 the server says "${missing.detail}"`
})

const text = await Effect.runPromise(calls.pipe(Effect.provide(FetchHttpClient.layer)))
await close()
await server.dispose()
console.log(text)
