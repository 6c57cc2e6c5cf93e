// The routes of tokens, whose secrets are shown once.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { Effect, Exit, Option, Redacted } from "effect"
import { MAX_TOKENS } from "../../src/domain/Account.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import { Tokens } from "../../src/services/Tokens.ts"
import { layer } from "../lib/effect.ts"
import { scenario } from "../lib/http.ts"
import { start, type TestServer } from "../lib/server.ts"
import { sender, subjects } from "../services/ports.ts"

scenario("tokens are created, listed and revoked with full scope only", [
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
          last_used_at: expect.any(Number),
          made_by: null
        },
        {
          id: 2,
          scope: "alerts",
          created_at: expect.any(Number),
          expires_at: null,
          last_used_at: expect.any(Number),
          made_by: null
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
    json: { data: [{ id: 1 }, { id: 2 }, { id: 4, last_used_at: null, made_by: 1 }, { id: 5, made_by: 1 }] },
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
  // One key creates one token. Only the first answer has its secret.
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

test("a new token opens the account until it is revoked, and so do its sessions", async () => {
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
  // The session revokes its own token, and the answer still arrives.
  const revoked = await server.fetch(`/v1/tokens/${id}`, {
    method: "DELETE",
    headers: { cookie, origin: "http://localhost" }
  })
  expect(revoked.status).toBe(200)
  expect((await ask("/v1/signals", token)).status).toBe(401)
  expect((await bySession()).status).toBe(401)
})

test("a token expires no later than its parent, and is named when that is revoked", async () => {
  const days = 86_400
  const ask = (token: string, path: string, method: string, body?: unknown) =>
    server.fetch(path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const make = async (token: string, body: unknown) => {
    const response = await ask(token, "/v1/tokens", "POST", body)
    expect(response.status).toBe(201)
    const made: { readonly id: number; readonly token: string; readonly expires_at: number | null } =
      JSON.parse(await response.text())
    return made
  }
  const maker = await make(server.ann, { scope: "full", expires_days: 2 })
  const end = maker.expires_at ?? 0
  const without = await make(maker.token, { scope: "full" })
  const longer = await make(maker.token, { scope: "alerts", expires_days: 3650 })
  const shorter = await make(maker.token, { scope: "alerts", expires_days: 1 })
  // A token made with a copy does not last longer either.
  const grandchild = await make(without.token, { scope: "full" })
  expect([without.expires_at, longer.expires_at, grandchild.expires_at]).toEqual([end, end, end])
  expect(shorter.expires_at).toBeLessThanOrEqual(end - days + 2)
  const signedIn = await ask("", "/v1/dashboard/session", "POST", { token: maker.token })
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
  const bySession = await server.fetch("/v1/tokens", {
    method: "POST",
    headers: { cookie, origin: "http://localhost", "content-type": "application/json" },
    body: `{"scope":"full"}`
  })
  const { expires_at, id } = JSON.parse(await bySession.text())
  expect(expires_at).toBe(end)
  const revoked = await ask(server.ann, `/v1/tokens/${maker.id}`, "DELETE")
  const left = [without.id, longer.id, shorter.id, grandchild.id, id].join(", ")
  expect(await revoked.json()).toMatchObject({
    message: `the token is revoked; tokens that were made with it are still valid: ${left}`
  })
  expect((await ask(without.token, "/v1/signals", "GET")).status).toBe(200)
})

for (const [name, subject] of subjects) {
  const it = layer(subject)
  it.effect(`tokens of an account are limited: ${name}`, () =>
    Effect.gen(function* () {
      const maker = yield* sender("ann")
      const { account } = maker
      yield* sender("bob")
      const tokens = yield* Effect.provide(Tokens, Tokens.layer)
      for (let count = 1; count < MAX_TOKENS; count++) yield* tokens.create(maker, { scope: "alerts" })
      const over = tokens.create(maker, { scope: "alerts" })
      expect(yield* Effect.flip(over)).toMatchObject({ _tag: "TooManyTokens" })
      const [, second] = yield* tokens.list(account)
      yield* tokens.revoke(account, second?.id ?? 0)
      const { secret } = yield* over
      expect(Option.isSome(yield* (yield* Accounts).authenticate(Redacted.value(secret)))).toBe(true)
      expect(Exit.isFailure(yield* Effect.exit(tokens.revoke(account, 2)))).toBe(true)
      yield* tokens.revoke(account, maker.token)
      expect(yield* Effect.flip(over)).toMatchObject({ _tag: "TokenNotFound" })
    })
  )
}
