// Keys typed on a terminal: the command asks for each, and shows none.
import { afterAll, expect, test } from "bun:test"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { program, signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-prompt-"))
const db = join(folder, "x.db")
afterAll(() => rmSync(folder, { recursive: true }))

/** The terminal's content while each answer is typed to its question. */
const typed = async (answers: ReadonlyArray<string>, ...args: ReadonlyArray<string>) => {
  let shown = ""
  let given = 0
  const child = Bun.spawn([...program, ...args, "--db", db], {
    env: { ...process.env, XDG_CONFIG_HOME: folder },
    terminal: {
      data: (terminal, bytes) => {
        shown += Buffer.from(bytes).toString()
        const asked = shown.split("(not shown): ").length - 1
        for (; given < asked && given < answers.length; given++) terminal.write(answers[given] ?? "")
      }
    }
  })
  return { code: await child.exited, shown }
}

test("the prompt asks for each key without showing it, and a private key may be pasted with its lines", async () => {
  await signalbox("token", "create", "--account", "me", "--db", db)
  const pem = generateKeyPairSync("ec", { namedCurve: "P-256" })
    .privateKey.export({ type: "sec1", format: "pem" })
    .toString()
  const [okx, coinbase, given, ended] = await Promise.all([
    typed(["k3y-1\r", "s3cret-2\r", "p4ss 3\r"], "account", "connect", "okx", "--no-check"),
    typed(["k3y-4\r", pem.replaceAll("\n", "\r")], "account", "connect", "coinbase", "--no-check"),
    typed(["k3y-5\r", "\x03"], "account", "connect", "binance", "--no-check"),
    typed(["\x04"], "account", "connect", "bybit", "--no-check")
  ])
  expect([okx.code, coinbase.code, given.code, ended.code]).toEqual([0, 0, 130, 2])
  expect(okx.shown).toContain("okx is connected as okx, for me")
  expect(okx.shown.match(/^.*\(not shown\)/gm)).toEqual([
    "API key (not shown)",
    "API secret (not shown)",
    "Passphrase of the key (not shown)"
  ])
  expect(coinbase.shown).toContain("coinbase is connected")
  const all = [okx, coinbase, given, ended].map(({ shown }) => shown).join("\n")
  expect(all).not.toMatch(/k3y|s3cret|p4ss|EC PRIVATE/)
  expect(all).not.toContain(pem.split("\n")[1] ?? "?")
}, 60_000)
