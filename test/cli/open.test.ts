// `open` and the link of `serve`: they sign in once, and are printed on terminals only.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { opener } from "../../src/cli/open/Browser.ts"
import { becomes } from "../backtests/processes.ts"
import { program, signalbox } from "../lib/cli.ts"
import { serving } from "../lib/serving.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-open-test-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LINK = /(https?:\/\/\S+)\/#\/sign-in\?code=([0-9A-Z-]{23})/

const redeem = async (url: string, body: object) => {
  const answer = await fetch(`${url}/v1/dashboard/session`, { method: "POST", body: JSON.stringify(body) })
  const text = await answer.text()
  return { status: answer.status, json: JSON.parse(text) }
}

test("beside a running server, a link makes the first account, and the next one signs in to it", async () => {
  const db = join(folder, "one.db")
  const server = await serving("--db", db)
  try {
    const at = ["--db", db, "--port", new URL(server.url).port]
    // The server's output is no terminal here: it names the command, and holds no code.
    const hint = `or sign in without one, by a link: signalbox open --db ${db}`
    expect(await becomes(() => server.said().includes(hint), 10_000)).toBe(true)
    expect(server.said()).not.toMatch(/code=/)
    const piped = await signalbox("open", ...at)
    expect([piped.code, piped.out]).toEqual([2, ""])
    expect(piped.error).toContain("--print prints the link all the same")

    const first = await signalbox("open", "--print", ...at)
    const [, base = "", code = ""] = LINK.exec(first.out) ?? []
    expect([first.code, base, first.error]).toEqual([0, server.url, ""])
    expect((await redeem(server.url, { code, account: "me" })).json).toMatchObject({ account: "me" })
    expect((await redeem(server.url, { code })).status).toBe(401)

    const other = JSON.parse((await signalbox("open", "--json", ...at, "--base", "https://b.example/x/")).out)
    expect(Object.keys(other)).toEqual(["url", "account", "expires_at"])
    expect([other.account, other.url.slice(0, 22)]).toEqual(["me", "https://b.example/x/#/"])
    const again = (await redeem(server.url, { code: LINK.exec(other.url)?.[2] })).json
    expect(again).toMatchObject({ account: "me", token_id: 1, operator: true })

    const nobody = await signalbox("open", "--print", ...at, "--account", "eve")
    expect([nobody.code, nobody.out]).toEqual([1, ""])
    expect(nobody.error).toContain("there is no account eve")
    const wrong = await signalbox("open", "--print", "--db", db, "--port", "1")
    expect([wrong.code, wrong.error.includes("does not answer on http://127.0.0.1:1")]).toEqual([1, true])
    // The database and its log hold the digest alone.
    for (const file of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, file)).toString("latin1")
      for (const secret of [code, code.replaceAll("-", "")]) expect(bytes).not.toContain(secret)
    }
  } finally {
    await server.stop()
  }
  expect(server.said()).not.toMatch(/code=|[0-9A-Z]{5}-[0-9A-Z]{5}-/)
  const stopped = await signalbox("open", "--print", "--db", db)
  expect([stopped.code, stopped.out]).toEqual([1, ""])
  expect(stopped.error).toContain("no server runs on the database")
}, 60_000)

test("serve prints a link on a terminal, and open starts the browser with a file that others cannot read", async () => {
  const db = join(folder, "two.db")
  let shown = ""
  const server = Bun.spawn([...program, "serve", "--port", "0", "--prices", "none", "--db", db], {
    env: { ...process.env, XDG_CONFIG_HOME: folder },
    terminal: {
      data: (_, bytes) => {
        shown += Buffer.from(bytes).toString()
      }
    }
  })
  try {
    for (let waited = 0; waited < 1_000 && !LINK.test(shown); waited++) await Bun.sleep(20)
    const [, base = "", code = ""] = LINK.exec(shown) ?? []
    expect(shown).toContain("open this to make your account; it works once, within 10 minutes:")
    expect((await redeem(base, { code, account: "me" })).json).toMatchObject({ account: "me" })

    const home = mkdtempSync(join(folder, "home-"))
    const seen = join(folder, "seen")
    const browser = join(home, "xdg-open")
    writeFileSync(
      browser,
      `#!/bin/sh\necho "$@" > ${seen}.args\ncat "$1" > ${seen}.page\nstat -c %a "$1" > ${seen}.mode\ntouch ${seen}.done\n`,
      {
        mode: 0o700
      }
    )
    let said = ""
    const opening = Bun.spawn([...program, "open", "--db", db, "--port", new URL(base).port], {
      env: {
        ...{ PATH: `${home}:${process.env["PATH"]}`, HOME: home, DISPLAY: ":9", XDG_CONFIG_HOME: folder },
        TERM: "xterm"
      },
      terminal: {
        data: (_, bytes) => {
          said += Buffer.from(bytes).toString()
        }
      }
    })
    for (let waited = 0; waited < 500 && !existsSync(`${seen}.done`); waited++) await Bun.sleep(20)
    const [, , other = "?"] = LINK.exec(said) ?? []
    expect(said).toContain("open this to be signed in as me")
    expect(said).toContain(`the server uses the database ${db}`)
    expect(readFileSync(`${seen}.args`, "utf8")).not.toContain(other)
    expect(readFileSync(`${seen}.page`, "utf8")).toContain(`url=${base}/#/sign-in?code=${other}"`)
    expect(readFileSync(`${seen}.mode`, "utf8").trim()).toBe("600")
    const [name = ""] = readdirSync(home).filter((one) => one.startsWith("signalbox-open-"))
    expect(statSync(join(home, name)).mode & 0o777).toBe(0o700)
    expect(await opening.exited).toBe(0)
    expect(readdirSync(home)).not.toContain(name)
    expect((await redeem(base, { code: other })).json).toMatchObject({ account: "me" })
  } finally {
    server.kill("SIGTERM")
    await server.exited
  }
}, 60_000)

test("a browser is opened on a desktop, and never over SSH", () => {
  const found = (name: string) => `/usr/bin/${name}`
  expect(opener("linux", { DISPLAY: ":0" }, found)).toEqual(["/usr/bin/xdg-open"])
  expect(opener("linux", { WAYLAND_DISPLAY: "wayland-0" }, found)).toEqual(["/usr/bin/xdg-open"])
  expect(opener("linux", { DISPLAY: ":0" }, () => null)).toBeUndefined()
  expect(opener("linux", {}, found)).toBeUndefined()
  expect(opener("linux", { DISPLAY: "localhost:10.0", SSH_CONNECTION: "a b" }, found)).toBeUndefined()
  expect(opener("darwin", {}, found)).toEqual(["/usr/bin/open"])
  expect(opener("darwin", { SSH_TTY: "/dev/ttys1" }, found)).toBeUndefined()
})
