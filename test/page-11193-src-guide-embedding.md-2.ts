import { FetchHttpClient } from "@effect/platform"
import { Effect } from "effect"
import * as Client from "signalbox/api/client"

const program = Effect.gen(function* () {
  const client = yield* Client.make({ baseUrl: "http://127.0.0.1:1", token: "sbx_..." })
  const payload = { name: "Mine", description: "", active: true, public: false }
  const { id } = yield* client.signals.create({ payload, headers: { "idempotency-key": "mine-1" } })
  const { data } = yield* client.signals.list()
  return `${data.length} signals, the newest is ${id}`
}).pipe(
  Effect.catchTag("Problem", (problem) => {
    switch (problem.code) {
      case "invalid_request":
        return Effect.succeed(`to be changed: ${Object.keys(problem.errors).join(", ")}`)
      case "too_many_signals":
        return Effect.succeed("delete a signal first")
      default:
        return Effect.fail(problem)
    }
  }),
  Effect.catchTag("RequestError", () => Effect.succeed("nobody listens at this address"))
)
console.log(await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer))))
