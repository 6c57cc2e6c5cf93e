// Ports and TLS: the alert port, keep-alive, and renewal of certificates.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createConnection } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "node:tls"
import { Effect, Exit, Fiber, Layer, Logger, ManagedRuntime, Option, Scope, TestClock } from "effect"
import type { Certificates } from "../../src/http/edge/Certificate.ts"
import * as Proxies from "../../src/http/edge/Proxies.ts"
import { docs } from "../../src/http/ReferencePage.ts"
import { type Options, type Server, serve } from "../../src/http/serve.ts"
import * as Files from "../../src/tls/Certificates.ts"
import { errorOf } from "../../src/tls/KeyFile.ts"
import { selfSigned } from "../lib/certificate.ts"
import { it } from "../lib/effect.ts"
import { NO_LIMITS, type Tokens, tokens, world } from "../lib/server.ts"

const HOST = "127.0.0.1"
const quiet = Logger.replace(Logger.defaultLogger, Logger.none)
const runtime = ManagedRuntime.make(Layer.merge(world(NO_LIMITS), quiet))
let folder: string
let known: Tokens

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-tls-"))
  known = await runtime.runPromise(tokens)
})
afterAll(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a server during the test. */
const withServer = async (
  options: Partial<Options>,
  act: (server: Server) => Promise<void>
): Promise<void> => {
  const scope = Effect.runSync(Scope.make())
  const server = await runtime.runPromise(
    Scope.extend(serve({ host: HOST, port: 0, docs, ...options }), scope)
  )
  try {
    await act(server)
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const status = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).status
const ALERTS = { alerts: { host: HOST, port: 0 } }

describe("a second port", () => {
  test("serves the two alert doors and health, and nothing else", () =>
    withServer(ALERTS, async ({ alerts, url }) => {
      const second = alerts?.url ?? ""
      const bearer = { headers: { authorization: `Bearer ${known.ann}` } }
      const post = { ...bearer, method: "POST" }
      const body = {
        method: "POST",
        body: '{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy"}'
      }
      const paths: ReadonlyArray<readonly [string, RequestInit, number, number]> = [
        ["/v1/signals", bearer, 200, 404],
        ["/v1/signals", post, 422, 404],
        ["/v1/signals/1", bearer, 404, 404],
        ["/v1/strategies", bearer, 200, 404],
        ["/v1/alerts", bearer, 200, 404],
        ["/v1/alerts/1", bearer, 404, 404],
        ["/readyz", {}, 200, 404],
        ["/metrics", bearer, 200, 404],
        ["/metrics", {}, 401, 404],
        ["/docs", {}, 200, 404],
        ["/openapi.json", {}, 200, 404],
        ["/healthz", {}, 200, 200],
        ["/healthz", { method: "DELETE" }, 405, 405],
        ["/v1/signals/alert", bearer, 405, 405],
        ["/v1/signals/alert", {}, 405, 405],
        // The operation exists: the signal is missing, or the caller has no token.
        ["/v1/signals/alert", { ...body, ...bearer }, 404, 404],
        [`/v1/signals/charting?key=${known.hook}`, body, 404, 404],
        ["/v1/signals/charting?key=sbx_hook_no", body, 401, 401]
      ]
      for (const [path, init, whole, narrow] of paths) {
        expect([path, await status(url + path, init)]).toEqual([path, whole])
        expect([path, await status(second + path, init)]).toEqual([path, narrow])
      }
      const refused = await fetch(`${second}/v1/signals/charting?key=${known.hook}`, body)
      expect(await refused.json()).toMatchObject({ code: "not_found", message: "there is no such signal" })
      // Strangers learn nothing about exchanges.
      expect(await (await fetch(`${second}/healthz`)).json()).toEqual({ status: "up" })
      expect(await (await fetch(`${url}/healthz`)).json()).toHaveProperty("prices")
    }))

  test("serves neither sessions nor the dashboard", () =>
    withServer(
      { ...ALERTS, pages: (path) => (path === "/" ? async () => new Response("page") : undefined) },
      async ({ alerts, url }) => {
        const second = alerts?.url ?? ""
        const signIn = (at: string) =>
          fetch(`${at}/v1/dashboard/session`, { method: "POST", body: JSON.stringify({ token: known.ann }) })
        expect([(await signIn(second)).status, await status(`${second}/`), await status(`${url}/`)]).toEqual([
          404, 404, 200
        ])
        const cookie = (await signIn(url)).headers.get("set-cookie")?.split(";")[0] ?? ""
        const post = (at: string) => ({
          method: "POST",
          headers: { cookie, origin: at, "sec-fetch-site": "same-origin" },
          body: '{"signal_id":1,"coin":"BTC","quote_currency":"USDT","type":"buy"}'
        })
        expect(await status(`${url}/v1/signals/alert`, post(url))).toBe(404)
        expect(await status(`${second}/v1/signals/alert`, post(second))).toBe(401)
        expect(await status(`${second}/v1/signals/charting`, post(second))).toBe(401)
        expect(await status(`${url}/v1/signals/charting`, post(url))).toBe(401)
      }
    ))

  test("is reported if it is in use, and the first port is closed again", async () => {
    await withServer({}, async ({ port }) => {
      const scope = Effect.runSync(Scope.make())
      const again = serve({ host: HOST, port: 0, alerts: { host: HOST, port } })
      const error = await runtime.runPromise(Effect.flip(Scope.extend(again, scope)))
      await Effect.runPromise(Scope.close(scope, Exit.void))
      expect(error).toMatchObject({ _tag: "ServeError", reason: "port_in_use", port })
    })
  })

  test("closes with the first one, after requests in flight were answered", async () => {
    let finish = () => {}
    let slow: Promise<Response> | undefined
    await withServer(ALERTS, async ({ alerts }) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("{"))
          finish = () => {
            controller.enqueue(new TextEncoder().encode("}"))
            controller.close()
          }
        }
      })
      slow = fetch(`${alerts?.url}/v1/signals/charting?key=${known.hook}`, { method: "POST", body })
      await Bun.sleep(100)
      setTimeout(finish, 150)
    })
    expect((await slow)?.status).toBe(422)
  })
})

const write = (pair: { readonly certificate: string; readonly key: string }) => {
  writeFileSync(join(folder, "cert.pem"), pair.certificate)
  // A new file, because the previous one may belong to another user.
  rmSync(join(folder, "key.pem"), { force: true })
  writeFileSync(join(folder, "key.pem"), pair.key, { mode: 0o600 })
}
const files = () => ({ certificate: join(folder, "cert.pem"), key: join(folder, "key.pem") })

/** The name on the server's certificate. Sends no request, because a closing listener may cut the connection. */
const shown = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port, rejectUnauthorized: false }, () => {
      const { CN } = socket.getPeerCertificate().subject
      socket.destroy()
      resolve(String(CN))
    })
    socket.on("error", () => resolve("none"))
  })

const one = selfSigned("one")

test("an idle connection is closed after ten seconds, a trusted proxy's later than proxies close theirs", async () => {
  const proxies = Option.getOrThrow(Proxies.parse(HOST))
  const health = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
  const check = `POST /v1/exchange-accounts/9/check HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${known.ann}\r\ncontent-length: 0\r\n\r\n`
  const asked = async (port: number, text = health, status = "HTTP/1.1 200") => {
    const socket = createConnection({ host: HOST, port })
    const closed = new Promise<"closed">((resolve) => socket.once("close", () => resolve("closed")))
    const answered = () =>
      new Promise<string>((resolve) => {
        socket.once("data", (bytes) => resolve(bytes.toString().slice(0, 12)))
        socket.write(text)
      })
    expect(await answered()).toBe(status)
    return { socket, closed, answered }
  }
  await withServer({}, ({ port: bare }) =>
    withServer({ proxies }, async ({ port: behind }) => {
      // A connection may be quiet for longer only until the exchange has answered.
      const patient = asked(bare, check, "HTTP/1.1 404")
      const [caller, proxy, asker] = await Promise.all([asked(bare), asked(behind), patient])
      expect(await Promise.all([caller.closed, asker.closed])).toEqual(["closed", "closed"])
      await Promise.race([proxy.closed, Bun.sleep(500)])
      expect(await proxy.answered()).toBe("HTTP/1.1 200")
      proxy.socket.destroy()
    })
  )
}, 30_000)

/** Runs a test with the lines of the log. */
const heard = <A, E, R>(act: (said: ReadonlyArray<string>) => Effect.Effect<A, E, R>) => {
  const said: Array<string> = []
  const logger = Logger.make(({ message }) => said.push(String(message)))
  return Effect.provide(act(said), Logger.replace(Logger.defaultLogger, logger))
}
/** Lets the next check of the files happen. */
const look = TestClock.adjust("2 seconds")

describe("TLS", () => {
  test("serves both ports, and a new certificate is shown while requests go on", async () => {
    write(one)
    let announce: (pair: ReturnType<Certificates["current"]>) => void = () => {}
    const first = await Effect.runPromise(Effect.provide(Files.watch(files()), quiet))
    const certificates: Certificates = {
      ...first,
      next: Effect.async((resume) => {
        announce = (pair) => resume(Effect.succeed(pair))
      })
    }
    const options = { ...ALERTS, metrics: { port: 0 }, certificates }
    await withServer(options, async ({ alerts, metrics, port, url }) => {
      expect([url, alerts?.url]).toEqual([`https://${HOST}:${port}`, `https://${HOST}:${alerts?.port}`])
      expect(await fetch(`${url}/healthz`).catch(() => "refused")).toBe("refused")
      const tls = { rejectUnauthorized: false }
      let isOver = false
      const answers: Array<unknown> = []
      const caller = async (keepalive: boolean) => {
        while (!isOver) {
          const asked = fetch(`${alerts?.url}/healthz`, { tls, keepalive })
          answers.push(
            await asked.then(
              (response) => response.status,
              (error) => String(error)
            )
          )
          await Bun.sleep(40)
        }
      }
      const callers = [true, true, false, false].map(caller)
      for (const name of ["two", "three"]) {
        write(selfSigned(name))
        announce((await Effect.runPromise(Effect.provide(Files.watch(files()), quiet))).current())
        for (const at of [port, alerts?.port ?? 0])
          for (let times = 0; times < 12; ) times = (await shown(at)) === name ? times + 1 : 0
      }
      const settled = answers.length
      while (answers.length < settled + 20) await Bun.sleep(5)
      isOver = true
      await Promise.all(callers)
      expect(answers.filter((answer) => answer !== 200)).toEqual([])
      // The metrics port is on loopback, where no certificate is valid.
      expect(metrics?.url).toBe(`http://${HOST}:${metrics?.port}`)
      expect(await status(`${metrics?.url}/metrics`)).toBe(200)
    })
  }, 30_000)

  test("makes a session's cookie Secure, and its origin https", async () => {
    write(one)
    const certificates = await Effect.runPromise(Effect.provide(Files.watch(files()), quiet))
    await withServer(
      { certificates: { current: certificates.current, next: Effect.never } },
      async ({ url }) => {
        const tls = { rejectUnauthorized: false }
        const body = JSON.stringify({ token: known.ann })
        const path = `${url}/v1/dashboard/session`
        const signedIn = await fetch(path, { method: "POST", headers: { origin: url }, body, tls })
        const set = signedIn.headers.get("set-cookie") ?? ""
        expect([signedIn.status, set.endsWith("; SameSite=Strict; Secure")]).toEqual([200, true])
        const cookie = set.split(";")[0] ?? ""
        const plain = { cookie, origin: url.replace("https", "http") }
        expect((await fetch(path, { method: "DELETE", headers: plain, tls })).status).toBe(403)
        const out = await fetch(path, { method: "DELETE", headers: { cookie, origin: url }, tls })
        expect([out.status, out.headers.get("set-cookie")?.endsWith("; Secure")]).toEqual([200, true])
      }
    )
  })

  test("adds HSTS to every response over TLS, and to none without", async () => {
    write(one)
    const { current } = await Effect.runPromise(Effect.provide(Files.watch(files()), quiet))
    const header = "strict-transport-security"
    const asked = async (url: string) => {
      const paths = ["/healthz", "/nothing", "/v1/signals", "/metrics", "/v1/signals/charting?key=x"]
      const answers = paths.flatMap((path) =>
        ["GET", "POST", "OPTIONS"].map((method) =>
          fetch(url + path, { method, tls: { rejectUnauthorized: false } })
        )
      )
      return [...new Set((await Promise.all(answers)).map(({ headers }) => headers.get(header)))]
    }
    const certificates = { current, next: Effect.never }
    await withServer({ ...ALERTS, certificates }, async ({ alerts, url }) => {
      expect(await asked(url)).toEqual(["max-age=31536000"])
      expect(await asked(alerts?.url ?? "")).toEqual(["max-age=31536000"])
    })
    await withServer(ALERTS, async ({ url }) => expect(await asked(url)).toEqual([null]))
  })

  test.each([0o644, 0o640, 0o604, 0o660, 0o620, 0o602])(
    "refuses a key of ours that other users may read or write: %o",
    async (mode) => {
      write(one)
      chmodSync(files().key, mode)
      const error = await Effect.runPromise(Effect.flip(Files.watch(files())))
      expect(error._tag).toBe("SettingRefused")
      const shown = mode.toString(8).padStart(4, "0")
      expect(error.message).toBe(
        `others may read or change the key ${files().key} (mode ${shown}): chmod 600 ${files().key}`
      )
    }
  )

  test.skipIf(process.getuid?.() !== 0)("refuses a key that belongs to another user", async () => {
    write(one)
    chownSync(files().key, 12_345, 12_345)
    const error = await Effect.runPromise(Effect.flip(Files.watch(files())))
    expect(error.message).toBe(
      `the key ${files().key} belongs to another user (12345): it has to be this server's own, or root's`
    )
  })

  test("accepts root's key if only the group of the server may read it", () => {
    const of = (uid: number, mode: number) => errorOf({ uid, mode }, 998)
    expect([of(0, 0o100640), of(0, 0o100600), of(0, 0o100440), of(998, 0o100600), of(998, 0o100400)]).toEqual(
      Array.from({ length: 5 }, () => undefined)
    )
    for (const [uid, mode] of [
      [0, 0o100644],
      [0, 0o100660],
      [998, 0o100640],
      [997, 0o100600]
    ] as const)
      expect([uid, mode, of(uid, mode)]).toEqual([uid, mode, expect.any(String)])
  })

  it.effect("refuses a readable key on renewal too, until its mode is corrected", () =>
    heard((said) =>
      Effect.gen(function* () {
        write(one)
        const watched = yield* Files.watch(files())
        const waiting = yield* Effect.fork(watched.next)
        const two = selfSigned("two")
        write(two)
        chmodSync(files().key, 0o644)
        yield* look
        yield* look
        expect(said).toEqual([
          expect.stringMatching(
            /^others may read or change the key .*; the certificate from before stays in use$/
          )
        ])
        expect(watched.current().certificate).toBe(one.certificate)
        chmodSync(files().key, 0o600)
        yield* look
        expect((yield* Fiber.join(waiting)).certificate).toBe(two.certificate)
      })
    )
  )

  test.each([
    ["no certificate", { certificate: "x", key: one.key }, "holds no certificate in PEM"],
    ["no key", { certificate: one.certificate, key: one.certificate }, "holds no private key in PEM"],
    [
      "another's key",
      { certificate: one.certificate, key: selfSigned("b").key },
      "is not the one of the certificate"
    ]
  ])("refuses a pair with %s at the start, and repeats nothing of its content", async (_, pair, words) => {
    write(pair)
    const error = await Effect.runPromise(Effect.flip(Files.watch(files())))
    expect(error._tag).toBe("CertificateRefused")
    expect(error.message).toContain(words)
    expect(error.message).not.toContain(pair.key.slice(40, 80))
  })

  test("refuses a missing file by its name", async () => {
    const missing = { ...files(), key: join(folder, "none.pem") }
    expect((await Effect.runPromise(Effect.flip(Files.watch(missing)))).message).toBe(
      `${missing.key} cannot be read`
    )
  })

  it.effect("reads changed files again, logs a broken pair once, and keeps the old one meanwhile", () =>
    heard((said) =>
      Effect.gen(function* () {
        write(one)
        const watched = yield* Files.watch(files())
        const waiting = yield* Effect.fork(watched.next)
        yield* look
        expect(said).toEqual([])
        writeFileSync(files().key, selfSigned("x").key)
        yield* look
        yield* look
        expect(said).toHaveLength(1)
        expect(said[0]).toContain("the certificate from before stays in use")
        expect(watched.current().certificate).toBe(one.certificate)
        rmSync(files().key)
        // A file that cannot be examined does not end the checks.
        symlinkSync(files().key, files().key)
        yield* look
        expect(said).toHaveLength(2)
        rmSync(files().key)
        yield* look
        const two = selfSigned("two", new Date(5 * 86_400_000))
        write(two)
        yield* look
        expect((yield* Fiber.join(waiting)).certificate).toBe(two.certificate)
        expect(said.slice(2)).toEqual([
          "a new certificate is in use, good until 1970-01-06",
          "the certificate ends on 1970-01-06: renew it"
        ])
        expect(said.join()).not.toContain("PRIVATE KEY")
      })
    )
  )
})
