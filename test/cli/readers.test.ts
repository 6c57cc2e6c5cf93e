// Commands that only read never create a database; and `market refresh`.
import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "readers-"))
const db = join(folder, "deep", "none.db")
afterAll(() => rmSync(folder, { recursive: true }))

test("reading commands create no database: they print one line, or the built-in markets", async () => {
  const [explained, tokens, revoked, exchanges, market, alerts] = await Promise.all([
    signalbox("explain", "1", "--db", db),
    signalbox("token", "list", "--db", db),
    signalbox("token", "revoke", "1", "--db", db),
    signalbox("exchange", "list", "--db", db),
    signalbox("market", "show", "binance", "BTC/USDT", "--json", "--db", db),
    signalbox("alerts", "export", "--db", db)
  ])
  const error = `signalbox: there is no database ${db}: signalbox serve creates it; or choose another with --db\n`
  expect([explained, tokens, revoked]).toEqual(Array(3).fill({ code: 1, out: "", error }))
  expect(alerts).toEqual({
    code: 1,
    out: "",
    error: `signalbox: cannot open the database ${db}: there is no such file\n`
  })
  expect(exchanges).toMatchObject({ code: 0, error: "" })
  expect(exchanges.out).toContain("binance")
  expect(JSON.parse(market.out)).toMatchObject({ active: true, buy_enabled: true })
  expect(existsSync(join(folder, "deep"))).toBe(false)
})
