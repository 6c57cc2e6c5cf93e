// One-time codes: they make the first account, sign in once, and give guessers, robots and readers of the log nothing.
import { describe, expect, test } from "bun:test"
import { Effect, Exit, Layer, Logger, LogLevel, ManagedRuntime, Option, Redacted, Scope } from "effect"
import { SESSION_PATH } from "../../src/api/Sessions.ts"
import { TokenId } from "../../src/domain/Account.ts"
import * as Edge from "../../src/http/edge/Edge.ts"
import { Accounts } from "../../src/services/Accounts.ts"
import * as SignIn from "../../src/services/internal/SignIn.ts"
import type { SignInCodes } from "../../src/services/records/SignInCodes.ts"
import { NO_LIMITS, world } from "../lib/server.ts"

const HERE = "http://localhost"
type Needed = Accounts | SignInCodes

/** Runs a test on a new server without an account. */
const fresh = async (act: (server: Awaited<ReturnType<typeof opened>>) => Promise<void>) => {
  const server = await opened()
  try {
    await act(server)
  } finally {
    await server.stop()
  }
}

const opened = async () => {
  const lines: Array<string> = []
  const heard = Logger.make(({ annotations, cause, message }) => {
    lines.push(JSON.stringify([message, [...annotations], cause]))
  })
  const logged = Layer.merge(
    Logger.replace(Logger.defaultLogger, heard),
    Logger.minimumLogLevel(LogLevel.All)
  )
  const runtime = ManagedRuntime.make(Layer.merge(world(NO_LIMITS), logged))
  const scope = Effect.runSync(Scope.make())
  const edge = await runtime.runPromise(Scope.extend(Edge.make(), scope))
  const run = <A, E>(effect: Effect.Effect<A, E, Needed>) => runtime.runPromise(effect)
  let peers = 0
  const call = async (body: object | undefined, headers: Record<string, string> = {}, peer?: string) => {
    const init: RequestInit =
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
    const answer = await edge.handle(
      new Request(HERE + SESSION_PATH, init),
      () => peer ?? `198.51.100.${++peers}`
    )
    const text = await answer.text()
    return { status: answer.status, cookie: answer.headers.get("set-cookie"), text, json: JSON.parse(text) }
  }
  return {
    run,
    call,
    lines,
    /** A code as the terminal would print it. */
    code: async (name?: string) => Redacted.value((await run(SignIn.invite(Option.fromNullable(name)))).code),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await runtime.dispose()
    }
  }
}

const tokensOf = Effect.flatMap(Accounts, ({ tokens }) => tokens)

describe("the first account", () => {
  test("is made with a code and a name, and is signed in; afterwards strangers learn nothing", () =>
    fresh(async ({ call, code, run }) => {
      expect((await call(undefined)).json).toEqual({ account: null, unclaimed: true })
      const made = await call({ code: await code(), account: "me" }, { origin: HERE })
      expect([made.status, made.json]).toMatchObject([200, { account: "me", operator: true, token_id: 1 }])
      const cookie = made.cookie?.split(";")[0] ?? ""
      expect((await call(undefined, { cookie })).json).toMatchObject({ account: "me" })
      expect((await call(undefined)).json).toEqual({ account: null })
      expect((await run(tokensOf)).map(({ account, scope }) => [account, scope])).toEqual([["me", "full"]])
    }))

  test("is nobody's without a code, whatever a stranger sends", () =>
    fresh(async ({ call, run }) => {
      const guess = "00000-00000-00000-00000"
      for (const [body, status] of [
        [{ account: "eve" }, 422],
        [{ code: "", account: "eve" }, 422],
        [{ code: null, account: "eve" }, 422],
        [{ code: guess, account: "eve" }, 401],
        [{ code: [guess], account: "eve" }, 422],
        [{ code: "x".repeat(60_000), account: "eve" }, 401]
      ] as const)
        expect([body, (await call(body)).status]).toEqual([body, status])
      expect(await run(tokensOf)).toEqual([])
    }))

  test("needs a proper name, and a refused name does not use up the code", () =>
    fresh(async ({ call, code }) => {
      const own = await code()
      for (const account of [undefined, "", " ", "a b", "<script>", "x".repeat(65), 7]) {
        const answer = await call({ code: own, account })
        expect([account, answer.status, Object.keys(answer.json.errors)]).toEqual([account, 422, ["account"]])
      }
      expect((await call({ code: own, account: " me " })).json).toMatchObject({ account: "me" })
    }))

  test("is made once: a second code of before makes no second account", () =>
    fresh(async ({ call, code, run }) => {
      const [one, other] = [await code(), await code()]
      expect((await call({ code: one, account: "me" })).status).toBe(200)
      const late = await call({ code: other, account: "eve" })
      expect([late.status, late.cookie]).toEqual([401, null])
      expect((await run(tokensOf)).map(({ account }) => account)).toEqual(["me"])
    }))
})

describe("a code", () => {
  test("signs in to the operator's account, once: the second of two tabs is told what to do", () =>
    fresh(async ({ call, code, run }) => {
      await run(Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none())))
      const own = await code()
      const [first, second] = await Promise.all([call({ code: own }), call({ code: own })])
      expect([first.status, second.status].sort()).toEqual([200, 401])
      const refused = first.status === 401 ? first : second
      expect(refused.json.detail ?? refused.text).toContain("signalbox open")
      expect(refused.cookie).toBeNull()
      // An account that has a token needs no other.
      expect((await run(tokensOf)).length).toBe(1)
    }))

  test("is bound to a token that lasts: to the account's own, else to a new one whose secret nobody has", () =>
    fresh(async ({ call, code, run }) => {
      const accounts = await run(Accounts)
      await run(accounts.issue("ann", "alerts", Option.none()))
      await run(accounts.issue("ann", "full", Option.some(4_000_000_000)))
      const { token } = await run(accounts.issue("ann", "full", Option.none()))
      expect((await call({ code: await code("ann") })).json).toMatchObject({
        account: "ann",
        token_id: token.id
      })
      await run(accounts.revoke(token.id))
      const next = await call({ code: await code("ann") })
      expect(next.json).toMatchObject({ account: "ann", token_id: 4 })
      await run(accounts.revoke(TokenId.make(4)))
      const cookie = next.cookie?.split(";")[0] ?? ""
      expect((await call(undefined, { cookie })).json).toEqual({ account: null })
    }))

  test("counts no more once its token is revoked", () =>
    fresh(async ({ call, code, run }) => {
      const accounts = await run(Accounts)
      const { token } = await run(accounts.issue("ann", "full", Option.none()))
      const own = await code()
      await run(accounts.revoke(token.id))
      expect((await call({ code: own })).status).toBe(401)
    }))

  test("is not used up by a robot that fetches the page, or by another site", () =>
    fresh(async ({ call, code, run }) => {
      await run(Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none())))
      const own = await code()
      // The code stands behind the # of the link, which no client sends.
      expect((await call(undefined)).json).toEqual({ account: null })
      expect((await call({ code: own }, { origin: "http://evil.example" })).status).toBe(403)
      expect((await call({ code: own }, { "sec-fetch-site": "cross-site" })).status).toBe(403)
      expect((await call({ code: own })).status).toBe(200)
    }))

  test("can be guessed ten times a minute by one network, and a right one always passes", () =>
    fresh(async ({ call, code, run }) => {
      await run(Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none())))
      const own = await code()
      const peer = "203.0.113.9"
      const statuses: Array<number> = []
      for (let index = 0; index < 12; index++)
        statuses.push((await call({ code: `${index}`.padStart(20, "0") }, {}, peer)).status)
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
      expect((await call({ code: own }, {}, peer)).status).toBe(200)
    }))

  test("an account that does not exist gets none", () =>
    fresh(async ({ run }) => {
      const exit = await run(Effect.exit(SignIn.invite(Option.some("nobody"))))
      expect(Exit.isFailure(exit)).toBe(true)
      await run(Effect.flatMap(Accounts, ({ issue }) => issue("ann", "full", Option.none())))
      const found = await run(Effect.flip(SignIn.invite(Option.some("nobody"))))
      expect(found.message).toBe("there is no account nobody: signalbox token list names the accounts")
    }))

  test("is never logged, used or not", () =>
    fresh(async ({ call, code, lines }) => {
      const [one, other] = [await code(), await code()]
      await call({ code: one, account: "me" })
      await call({ code: one })
      await call({ code: other, account: "eve" })
      const all = lines.join("\n")
      expect(lines.length).toBeGreaterThan(0)
      for (const secret of [one, other]) {
        expect(all).not.toContain(secret)
        expect(all).not.toContain(secret.replaceAll("-", ""))
        expect(all).not.toContain(secret.slice(0, 11))
      }
    }))
})
