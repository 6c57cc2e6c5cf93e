import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect, Exit, Option, Redacted } from "effect"
import { MAX_TOKENS } from "../../src/domain/Account.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Tokens } from "../../src/services/Tokens.ts"
import { layer } from "../lib/effect.ts"
import { scenario } from "../lib/http.ts"
import { start, type TestServer } from "../lib/server.ts"
import { sender, subjects } from "../services/ports.ts"

scenario("tokens", [
  { send: "GET /v1/tokens", as: "none", status: 401 },
  { send: "GET /v1/tokens", as: "hook", status: 403 },
  { send: "POST /v1/tokens", as: "hook", body: { scope: "full" }, status: 403 },
  { send: "DELETE /v1/tokens/1", as: "hook", status: 403 },
  {
    send: "GET /v1/tokens",
    status: 200,
    is: {
      data: [
        {
          id: 1,
          scope: "full",
          created_at: expect.any(Number),
          expires_at: null,
          last_used_at: expect.any(Number)
        },
        {
          id: 2,
          scope: "alerts",
          created_at: expect.any(Number),
          expires_at: null,
          last_used_at: expect.any(Number)
        }
      ]
    }
  },
  { send: "GET /v1/tokens", as: "bob", status: 200, json: { data: [{ id: 3, scope: "full" }] } },
  {
    send: "POST /v1/tokens",
    body: { scope: "alerts" },
    status: 201,
    gives: { location: "/v1/tokens/4" },
    is: {
      id: 4,
      token: expect.stringMatching(/^sbx_hook_/),
      account: "ann",
      scope: "alerts",
      expires_at: null
    }
  },
  {
    send: "POST /v1/tokens",
    body: { scope: "full", expires_days: 1 },
    status: 201,
    json: { id: 5, token: expect.stringMatching(/^sbx_api_/), expires_at: expect.any(Number) }
  },
  {
    send: "GET /v1/tokens",
    status: 200,
    json: { data: [{ id: 1 }, { id: 2 }, { id: 4, last_used_at: null }, { id: 5 }] },
    not: ["sbx_"]
  },
  { send: "DELETE /v1/tokens/4", as: "bob", status: 404, json: { code: "not_found" } },
  { send: "DELETE /v1/tokens/4", status: 200, json: { type: "success" } },
  { send: "DELETE /v1/tokens/4", status: 404 },
  { send: "DELETE /v1/tokens/99", status: 404 },
  { send: "DELETE /v1/tokens/x", status: 404 },
  { send: "GET /v1/tokens", status: 200, json: { data: [{ id: 1 }, { id: 2 }, { id: 5 }] } },
  ...[
    [{}, ["scope"]],
    [{ scope: "all" }, ["scope"]],
    [{ scope: "full", expires_days: 0 }, ["expires_days"]],
    [{ scope: "full", expires_days: 3651 }, ["expires_days"]],
    [{ scope: "full", expires_days: 1.5 }, ["expires_days"]],
    [{ scope: 1, expires_days: "7" }, ["scope", "expires_days"]]
  ].map(([body = {}, fields]) => ({
    send: "POST /v1/tokens",
    body,
    status: 422,
    json: {
      code: "invalid_request",
      errors: Object.fromEntries([fields].flat().map((field) => [field, [expect.any(String)]]))
    }
  })),
  { send: "POST /v1/tokens", headers: { "content-type": "text/plain" }, body: "{}", status: 415 },
  // Under one key it is made once; its secret is in the first answer alone.
  {
    send: "POST /v1/tokens",
    headers: { "idempotency-key": "k" },
    body: { scope: "full" },
    status: 201,
    json: { id: 6, token: expect.stringMatching(/^sbx_api_/) }
  },
  {
    send: "POST /v1/tokens",
    headers: { "idempotency-key": "k" },
    body: { scope: "full" },
    status: 201,
    json: { id: 6, token: null },
    not: ["sbx_"]
  },
  {
    send: "POST /v1/tokens",
    headers: { "idempotency-key": "k" },
    body: { scope: "alerts" },
    status: 422,
    json: { code: "idempotency_key_reused" }
  },
  { send: "GET /v1/tokens", status: 200, json: { data: [{ id: 1 }, { id: 2 }, { id: 5 }, { id: 6 }] } }
])

let server: TestServer
beforeAll(async () => {
  server = await start()
})
afterAll(() => server.stop())

test("a token that was made opens the account, and nothing once it is revoked; so its sessions", async () => {
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    server.fetch(path, { ...init, headers: { authorization: `Bearer ${token}` } })
  const made = await ask("/v1/tokens", server.bob, { method: "POST", body: `{"scope":"full"}` })
  const { id, token } = JSON.parse(await made.text())
  expect((await ask("/v1/signals", token)).status).toBe(200)
  const signedIn = await server.fetch("/v1/dashboard/session", {
    method: "POST",
    body: JSON.stringify({ token })
  })
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
  const bySession = () => server.fetch("/v1/signals", { headers: { cookie } })
  expect((await bySession()).status).toBe(200)
  // By the session itself: the answer still arrives.
  const revoked = await server.fetch(`/v1/tokens/${id}`, {
    method: "DELETE",
    headers: { cookie, origin: "http://localhost" }
  })
  expect(revoked.status).toBe(200)
  expect((await ask("/v1/signals", token)).status).toBe(401)
  expect((await bySession()).status).toBe(401)
})

for (const [name, subject] of subjects) {
  const it = layer(subject)
  it.effect(`tokens of an account are bounded: ${name}`, () =>
    Effect.gen(function* () {
      const { account } = yield* sender("ann")
      yield* sender("bob")
      const tokens = yield* Effect.provide(Tokens, Tokens.layer)
      for (let count = 1; count < MAX_TOKENS; count++) yield* tokens.create(account, { scope: "alerts" })
      const over = tokens.create(account, { scope: "alerts" })
      expect(yield* Effect.flip(over)).toMatchObject({ _tag: "TooManyTokens" })
      const [first] = yield* tokens.list(account)
      yield* tokens.revoke(account, first?.id ?? 0)
      const { secret } = yield* over
      expect(Option.isSome(yield* (yield* Accounts).authenticate(Redacted.value(secret)))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(tokens.revoke(account, 2)))).toBe(true)
    })
  )
}
