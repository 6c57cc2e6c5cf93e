// The adversary: a library whose promise fails while nobody waits for it, one that throws in a callback, and a stop in
// which something fails. With money behind it, the server must neither vanish nor be silent.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-stray-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts a server from its sources. `befall` brings its fault about; `before` is code that runs before the server. */
const faulty = (name: string, fault: string, before = "", port = "0") => {
  const [preload, now] = [join(folder, `${name}.ts`), join(folder, `${name}.now`)]
  writeFileSync(
    preload,
    `import { existsSync } from "node:fs"
    const due = setInterval(() => {
      if (!existsSync(${JSON.stringify(now)})) return
      clearInterval(due)
      ${fault}
    }, 20)
    due.unref()
    ${before}`
  )
  const args = ["serve", "--port", port, "--db", join(folder, `${name}.db`), "--log-format", "json"]
  const child = Bun.spawn(
    [process.execPath, "--preload", preload, resolve(import.meta.dir, "../../src/main.ts"), ...args],
    { env: { ...process.env, XDG_CONFIG_HOME: "/dev/null/nowhere" }, stdout: "ignore", stderr: "pipe" }
  )
  let text = ""
  const read = (async () => {
    for await (const chunk of child.stderr) text += new TextDecoder().decode(chunk)
  })()
  const until = async (found: RegExp) => {
    for (let match = found.exec(text); ; match = found.exec(text)) {
      if (match !== null) return match
      if (child.exitCode !== null) throw new Error(`the server ended: ${text}`)
      await Bun.sleep(20)
    }
  }
  const ended = async () => {
    const code = await child.exited
    await read
    return { code, text }
  }
  return { child, until, ended, befall: () => writeFileSync(now, "") }
}

test("a server goes on where promises fail that nobody waits for, and its log says so in one line", async () => {
  const { befall, child, ended, until } = faulty(
    "rejection",
    'for (let count = 0; count < 1000; count++) Promise.reject(new Error("cut off"))'
  )
  const [, url] = await until(/listening on (http:\/\/[^,]+),/)
  befall()
  await until(
    /"level":"error","message":"a promise failed that nobody waited for; the server goes on".+cut off/
  )
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  child.kill("SIGTERM")
  const { code, text } = await ended()
  expect([code, text.match(/a promise failed/g)]).toEqual([0, ["a promise failed"]])
}, 60_000)

test("a server stops in good order where something throws that nothing catches, and says why", async () => {
  const { befall, ended, until } = faulty("throw", 'throw new Error("of a socket")')
  await until(/listening on/)
  befall()
  const { code, text } = await ended()
  expect(code).toBe(1)
  expect(text).toMatch(
    /"level":"fatal","message":"an error that nothing caught: the server stops, start it again".+of a socket/
  )
}, 60_000)

test("a stop in which something fails is told, and exits with 1", async () => {
  const { child, ended, until } = faulty(
    "stop",
    "",
    `const { Database } = require("bun:sqlite")
    Database.prototype.close = () => {
      throw new Error("of a file")
    }`
  )
  await until(/listening on/)
  child.kill("SIGTERM")
  const { code, text } = await ended()
  expect(code).toBe(1)
  expect(text).toMatch(/"level":"error","message":"the stop was not in good order".+of a file/)
}, 60_000)

test("a server that cannot start ends, whatever is left behind", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
  const { ended } = faulty("taken", "", "setInterval(() => undefined, 1000)", `${other.port}`)
  const { code, text } = await ended()
  expect([code, text]).toEqual([1, expect.stringContaining("is in use")])
  await other.stop(true)
}, 60_000)
