// `token`: revoking ends streams of a running server, and lists show which token made which.
import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox } from "../lib/cli.ts"
import { serving } from "../lib/serving.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-token-"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test("revoking a token by command ends its streams and its sessions' streams in the running server within 5 s", async () => {
  const db = join(folder, "revoked.db")
  const server = await serving("--db", db)
  try {
    const made = await signalbox("token", "create", "--account", "me", "--db", db, "--json")
    const { id, token } = JSON.parse(made.out)
    const signedIn = await fetch(`${server.url}/v1/dashboard/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token })
    })
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
    const streams = await Promise.all(
      [{ authorization: `Bearer ${token}` }, { cookie }].map((headers) =>
        fetch(`${server.url}/v1/events`, { headers })
      )
    )
    expect(streams.map(({ status }) => status)).toEqual([200, 200])
    const bodies = Promise.all(streams.map((response) => response.text()))
    expect((await signalbox("token", "revoke", String(id), "--db", db)).code).toBe(0)
    const ends = await Promise.race([bodies, Bun.sleep(5_000).then(() => "still open")])
    expect(ends).toEqual(streams.map(() => expect.stringContaining("retry: 2000")))
  } finally {
    await server.stop()
  }
}, 60_000)

test("the list names the token that made each token, and revoking one names those it made", async () => {
  const db = join(folder, "makers.db")
  const made = await signalbox("token", "create", "--account", "me", "--db", db, "--json")
  const { token } = JSON.parse(made.out)
  const server = await serving("--db", db)
  try {
    const answer = await fetch(`${server.url}/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: `{"scope":"alerts"}`
    })
    expect(answer.status).toBe(201)
  } finally {
    await server.stop()
  }
  const rows: ReadonlyArray<object> = JSON.parse((await signalbox("token", "list", "--db", db, "--json")).out)
  expect(rows.map((row) => Object.keys(row))).toEqual([
    ["id", "account", "scope", "expires_at", "last_used_at"],
    ["id", "account", "scope", "expires_at", "last_used_at", "made_by"]
  ])
  expect((await signalbox("token", "list", "--db", db)).out).toMatch(/made with[\s\S]* token 1\n/)
  const { out } = await signalbox("token", "revoke", "1", "--db", db)
  expect(out).toBe("Token 1 is revoked. Tokens that were made with it are still valid: 2.\n")
}, 60_000)

test("the terminal names the database of a token, and nothing that a visitor without one sees does", async () => {
  const db = join(folder, "named.db")
  const made = await signalbox("token", "create", "--account", "me", "--db", db)
  expect(made.out).toContain(`counts on servers that use this database: ${db}\n`)
  const server = await serving("--db", db)
  try {
    const session = `${server.url}/v1/dashboard/session`
    const headers = { "content-type": "application/json" }
    const seen = await Promise.all([
      fetch(`${server.url}/`),
      fetch(`${server.url}/healthz`),
      fetch(session),
      fetch(session, { method: "POST", headers, body: JSON.stringify({ token: "of another database" }) })
    ])
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 401])
    for (const answer of seen) expect(await answer.text()).not.toContain(folder)
  } finally {
    await server.stop()
  }
}, 60_000)
