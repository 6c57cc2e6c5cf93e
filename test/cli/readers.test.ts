// Commands that only read never create a database; and `market refresh`.
import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { signalbox, signalboxWith } from "../lib/cli.ts"

const folder = mkdtempSync(join(tmpdir(), "readers-"))
const db = join(folder, "deep", "none.db")
afterAll(() => rmSync(folder, { recursive: true }))

test("reading commands create no database, and say in one line that it is not there", async () => {
  const [explained, tokens, revoked, exchanges, market, markets, alerts] = await Promise.all([
    signalbox("explain", "1", "--db", db),
    signalbox("token", "list", "--db", db),
    signalbox("token", "revoke", "1", "--db", db),
    signalbox("exchange", "list", "--db", db),
    signalbox("market", "show", "binance", "BTC/USDT", "--json", "--db", db),
    signalbox("market", "list", "binance", "--db", db),
    signalbox("alerts", "export", "--db", db)
  ])
  const error = `signalbox: there is no database ${db}: signalbox serve creates it; or choose another with --db\n`
  const all = [explained, tokens, revoked, exchanges, market, markets]
  expect(all).toEqual(Array(6).fill({ code: 1, out: "", error }))
  expect(alerts).toEqual({
    code: 1,
    out: "",
    error: `signalbox: cannot open the database ${db}: there is no such file\n`
  })
  expect(existsSync(join(folder, "deep"))).toBe(false)
})

test("before there is any database, a command names the missing one and uses the shipped markets", async () => {
  const XDG_DATA_HOME = join(folder, "home")
  const usual = { XDG_DATA_HOME, SIGNALBOX_DB: "", STATE_DIRECTORY: "" }
  const [exchanges, market, named] = await Promise.all([
    signalboxWith(usual, "exchange", "list"),
    signalboxWith(usual, "market", "show", "binance", "BTC/USDT", "--json"),
    signalboxWith({ ...usual, SIGNALBOX_DB: db }, "market", "show", "binance", "BTC/USDT")
  ])
  const error = `signalbox: there is no database ${join(XDG_DATA_HOME, "signalbox/signalbox.db")} yet: this uses the markets that the program ships with\n`
  expect(exchanges).toMatchObject({ code: 0, error })
  expect(exchanges.out).toContain("binance")
  expect(market).toMatchObject({ code: 0, error })
  expect(JSON.parse(market.out)).toMatchObject({ active: true, buy_enabled: true })
  expect(named).toMatchObject({ code: 1, out: "" })
  expect(existsSync(XDG_DATA_HOME)).toBe(false)
})
