// Long lists are written without blocking other requests.
import { expect, test } from "bun:test"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import * as Answers from "../../src/http/views/Answers.ts"

test("a long list gives the same JSON, and other work runs while it is written", async () => {
  const rows = Array.from({ length: 20 }, (_, id) => ({ id, text: "x".repeat(100_000) }))
  let turns = 0
  const timer = setInterval(() => turns++)
  const answer = await Effect.runPromise(Answers.list(rows, ({ id, text }) => ({ text, id }), { link: "x" }))
  clearInterval(timer)
  const response = HttpServerResponse.toWeb(answer)
  expect(response.headers.get("link")).toBe("x")
  expect(await response.text()).toBe(JSON.stringify({ data: rows.map(({ id, text }) => ({ text, id })) }))
  expect(turns).toBeGreaterThan(4)
  const none = HttpServerResponse.toWeb(await Effect.runPromise(Answers.list([], (row) => row, {})))
  expect(await none.text()).toBe('{"data":[]}')
})
