import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Cli from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
const db = ["--db", join(folder, "signalbox.db")]
const received: Array<string> = []
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    received.push(`${new URL(request.url).pathname} ${await request.text()}`)
    return new Response("ok")
  }
})
beforeAll(async () => {
  await Cli.signalbox("token", "create", "--account", "ann", ...db)
})
afterAll(async () => {
  await receiver.stop(true)
  rmSync(folder, { recursive: true })
})

/** The command, told this by its standard input. */
const told = (input: string, ...args: ReadonlyArray<string>) => Cli.told({}, input, ...args)

test("a notification is added by standard input, tried, listed without what is secret, and removed", async () => {
  const own = ["--allow-private-targets", ...db]
  const address = `http://127.0.0.1:${receiver.port}/s3cret`
  const added = await told(`${address}\n`, "notify", "add", "webhook", "--name", "Desk", "--json", ...own)
  expect([added.code, added.error]).toEqual([0, ""])
  const made = JSON.parse(added.out)
  expect(made).toMatchObject({
    id: 1,
    kind: "webhook",
    name: "Desk",
    to: `http://127.0.0.1:${receiver.port}/...`
  })
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)

  const tested = await Cli.signalbox("notify", "test", "1", ...own)
  expect([tested.code, tested.out]).toEqual([0, "It was delivered.\n"])
  expect(received).toHaveLength(1)
  expect(received[0]).toStartWith("/s3cret {")
  const guarded = await Cli.signalbox("notify", "test", "1", ...db)
  expect([guarded.code, guarded.error]).toEqual([
    1,
    expect.stringContaining("it was not delivered: its address must begin with https://")
  ])

  for (const flags of [[], ["--json"]]) {
    const listed = await Cli.signalbox("notify", "list", ...flags, ...db)
    expect(listed.out).toContain("Desk")
    expect(listed.out + listed.error + guarded.error).not.toMatch(/s3cret|whsec_/)
  }
  expect((await Cli.signalbox("notify", "remove", "1", ...db)).out).toBe("Notification 1 is removed.\n")
  expect((await Cli.signalbox("notify", "remove", "1", ...db)).code).toBe(1)
}, 30_000)

test("what is missing or wrong is said, and none of it repeated", async () => {
  const missing = await told("", "notify", "add", "telegram", "--chat", "1", ...db)
  expect([missing.code, missing.error]).toEqual([2, expect.stringContaining("Token of the bot")])
  const wrong = await told("s3cret\n", "notify", "add", "telegram", "--chat", "1", ...db)
  expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining("token must be the token of a bot")])
  expect(wrong.out + wrong.error).not.toContain("s3cret")
  const kind = await told(
    "https://a.example/\n",
    "notify",
    "add",
    "discord",
    "--events",
    "closed,s3cret",
    ...db
  )
  expect([kind.code, kind.error]).toEqual([2, expect.stringContaining("events must be a list of kinds")])
  const nobody = await told("https://a.example/\n", "notify", "add", "discord", "--account", "eve", ...db)
  expect([nobody.code, nobody.error]).toEqual([1, expect.stringContaining("there is no such account")])
}, 30_000)
