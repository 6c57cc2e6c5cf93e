// Commands that switch exchanges and markets, and `health`.
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-switches-"))
const db = join(folder, "x.db")
afterAll(() => rmSync(folder, { recursive: true }))

const json = async (...args: ReadonlyArray<string>) => {
  const { code, error, out } = await signalbox(...args, "--json")
  expect([args, code, error]).toEqual([args, 0, ""])
  return JSON.parse(out)
}

test("with --json a command that switches something prints its new state", async () => {
  const { id } = await json("token", "create", "--account", "me", "--db", db)
  const examples = join(folder, "examples")
  const [revoked, exchange, markets, example] = await Promise.all([
    json("token", "revoke", String(id), "--db", db),
    json("exchange", "disable", "KuCoin", "--db", db),
    json("market", "disable-buy", "Binance", "btc/usdt", "--db", db),
    json("example", examples)
  ])
  expect(revoked).toEqual({ id, revoked: true })
  expect(exchange).toMatchObject({ name: "kucoin", active: false })
  expect(markets.map(({ kind }: { readonly kind: string }) => kind)).toEqual(["spot", "swap"])
  expect(markets[0]).toMatchObject({
    exchange: "binance",
    pair: "BTC/USDT",
    active: true,
    buy_enabled: false
  })
  expect(example).toEqual({ folder: examples, files: expect.arrayContaining(readdirSync(examples)) })
  expect(await json("token", "list", "--db", db)).toEqual([])
})

test("health reports by its exit code too whether a server is ready", async () => {
  let status = 200
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("", { status }) })
  const { port } = server
  const health = (...args: ReadonlyArray<string>) => signalbox("health", "--port", `${port}`, ...args)
  const url = `http://127.0.0.1:${port}`
  expect(await health()).toEqual({ code: 0, out: `The server on ${url} is ready.\n`, error: "" })
  status = 503
  expect(await health()).toEqual({
    code: 1,
    out: "",
    error: `signalbox: the server on ${url} answers, but is not ready (503)\n`
  })
  await server.stop(true)
  expect(await health("--json")).toEqual({
    code: 1,
    out: `${JSON.stringify({ url, ready: false })}\n`,
    error: `signalbox: the server on ${url} gives no answer\n`
  })
})
