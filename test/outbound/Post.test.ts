// Posting to the internet: addresses, TLS, timeouts and redirects.
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Either } from "effect"
import * as Post from "../../src/outbound/Post.ts"
import { Outbound } from "../../src/services/notify/Outbound.ts"

const post = (url: string, options: Post.Options, trusted = false) =>
  Effect.runPromise(
    Effect.flatMap(Outbound, (outbound) =>
      Effect.either(outbound.post({ url, headers: { "x-a": "b" }, body: "hello", trusted }))
    ).pipe(Effect.provide(Post.layer(options)))
  )

const answered = async (...args: Parameters<typeof post>) => {
  const result = await post(...args)
  return Either.isRight(result) ? result.right : result.left.reason
}

describe("posting", () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const seen: Array<string> = []
  const connections: Array<string> = []
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    seen.push(
      `${request.headers.get("host")} ${pathname} ${request.headers.get("x-a")} ${await request.text()}`
    )
    switch (pathname) {
      case "/away":
        return Response.redirect("/here", 307)
      case "/endless":
        return new Response(
          new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(97)) })
        )
      case "/busy":
        return new Response("later", { status: 429, headers: { "retry-after": "17" } })
      default:
        return new Response("taken")
    }
  }
  const plain = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })
  let secure: ReturnType<typeof Bun.serve>
  let ca = ""

  beforeAll(() => {
    const made = Bun.spawnSync([
      ..."openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" "),
      ...[
        "-subj",
        "/CN=hook.example",
        "-addext",
        "subjectAltName=DNS:hook.example",
        "-keyout",
        key,
        "-out",
        cert
      ]
    ])
    expect(made.exitCode).toBe(0)
    ca = readFileSync(cert, "utf8")
    const tls = { key: readFileSync(key, "utf8"), cert: ca }
    secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: answer })
  })
  afterAll(async () => {
    await Promise.all([plain.stop(true), secure.stop(true)])
    rmSync(folder, { recursive: true })
  })
  const resolve = async (name: string) => {
    connections.push(name)
    return ["127.0.0.1"]
  }

  test("goes to the address that was checked, under the name that was asked for", async () => {
    const options = { allowPrivate: true, ca, resolve }
    const url = `https://hook.example:${secure.port}/x`
    expect(await answered(url, options)).toEqual({ status: 200, retryAfterSeconds: 0, text: "taken" })
    expect(seen.at(-1)).toBe(`hook.example:${secure.port} /x b hello`)
    expect(connections).toEqual(["hook.example"])
    // The certificate is another name's, and nobody's we know.
    expect(await answered(url.replace("hook", "evil"), options)).toBe("its certificate is not valid")
    expect(await answered(url, { allowPrivate: true, resolve })).toBe("its certificate is not valid")
  })

  test("does not connect to a name whose address is not public", async () => {
    const before = seen.length
    const url = `https://hook.example:${secure.port}/x`
    const refused = "its name stands for an address that is not public, and nothing was sent"
    for (const addresses of [
      ["127.0.0.1"],
      ["1.1.1.1", "10.0.0.1"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      ["fe80::1%lo"]
    ])
      expect(await answered(url, { allowPrivate: false, ca, resolve: async () => addresses })).toBe(refused)
    expect(await answered(url, { allowPrivate: false, ca, resolve: async () => [] })).toBe(
      "its name has no address"
    )
    // The machine's own resolver.
    expect(await answered(`https://localhost:${secure.port}/x`, { allowPrivate: false })).toBe(refused)
    expect(await answered(`https://127.0.0.1:${secure.port}/x`, { allowPrivate: false })).toContain("public")
    expect(await answered(`http://127.0.0.1:${plain.port}/x`, { allowPrivate: false })).toContain("https")
    expect(seen.length).toBe(before)
    // The operator's own choice is not looked at.
    expect(await answered(`http://127.0.0.1:${plain.port}/x`, { allowPrivate: false }, true)).toMatchObject({
      status: 200
    })
  })

  test("follows no redirect, reads little of the answer, and reports when to try again", async () => {
    const at = (path: string) => answered(`http://127.0.0.1:${plain.port}${path}`, { allowPrivate: true })
    expect(await at("/away")).toMatchObject({ status: 307 })
    expect(seen.at(-1)).toContain("/away")
    const endless = await at("/endless")
    expect(typeof endless === "string" ? 0 : endless.text.length).toBe(4_096)
    expect(await at("/busy")).toEqual({ status: 429, retryAfterSeconds: 17, text: "later" })
  })

  test("tries the next address of a name if it cannot connect to the first", async () => {
    const url = `http://hook.example:${plain.port}/x`
    const to = (...addresses: ReadonlyArray<string>) =>
      answered(url, { allowPrivate: true, resolve: async () => addresses })
    const before = seen.length
    expect(await to("127.0.0.2", "127.0.0.1")).toMatchObject({ status: 200 })
    expect(seen.length).toBe(before + 1)
    expect(await to("127.0.0.2", "127.0.0.3")).toContain("nobody listens there")
  })

  test("reports a failure in words that do not contain the address", async () => {
    const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })
    const { port } = gone
    await gone.stop(true)
    const options = { allowPrivate: true }
    expect(await answered(`http://127.0.0.1:${port}/s3cret`, options)).toBe(
      "nobody listens there: the connection was refused"
    )
    const missing = async () => {
      throw Object.assign(new Error("getaddrinfo ENOTFOUND s3cret.example"), { code: "ENOTFOUND" })
    }
    expect(await answered("https://s3cret.example/", { ...options, resolve: missing })).toBe(
      "its name cannot be resolved"
    )
  })
})
