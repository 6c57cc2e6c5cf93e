// A typed client whose requests go straight to a mounted server, without a socket.
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, type Redacted } from "effect"
import * as Client from "../../src/api/Client.ts"
import { Http } from "../../src/http/Mount.ts"

export const clientOf = (token: Redacted.Redacted) =>
  Effect.flatMap(Http, ({ handle }) => {
    const fetch = Object.assign(
      (input: string | URL | Request, init?: RequestInit) =>
        handle(new Request(input instanceof Request ? input.url : String(input), init), "203.0.113.1"),
      { preconnect: () => {} }
    )
    return Effect.provide(
      Client.make({ baseUrl: "http://signalbox.test", token }),
      Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))
    )
  })
