// An owner hides and deletes a signal right after the last answer, and the server is killed right after that.
import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Schema } from "effect"
import { strategyRequest } from "../../src/testing/Fixtures.ts"
import { listening, signalbox, start } from "../lib/cli.ts"

const ALERTS = 300
const SETTLE_MS = 20_000

/** Decodes the id of a created record. */
const madeOf = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({ id: Schema.optional(Schema.Int), strategy_id: Schema.optional(Schema.Int) })
  )
)

test("an alert reaches exactly the strategies that followed when it was answered, through a deletion and a kill", async () => {
  const folder = mkdtempSync(join(tmpdir(), "followings-"))
  const db = join(folder, "signalbox.db")
  const serve = () =>
    start("serve", "--port", "0", "--prices", "none", "--alert-rate", "0", "--crud-rate", "0", "--db", db)
  const token = async (account: string): Promise<string> =>
    JSON.parse((await signalbox("token", "create", "--account", account, "--json", "--db", db)).out).token
  const [ann, bob] = [await token("ann"), await token("bob")]
  let server = serve()
  try {
    const at = await listening(server.stderr)
    const ask = async (key: string, method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      const response = await fetch(`${at}/v1/${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      expect([path, Math.floor(response.status / 100)]).toEqual([path, 2])
      return madeOf(await response.text())
    }
    const signal = { name: "trend", description: "", active: true, public: true }
    const { id: followed = 0 } = await ask(ann, "POST", "signals", signal)
    const follow = async (key: string): Promise<number> =>
      (await ask(key, "POST", "strategies", { ...strategyRequest(), signal_id: followed })).strategy_id ?? 0
    const [hers, his] = [await follow(ann), await follow(bob)]
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          ask(ann, "POST", "signals/alert", {
            signal_id: followed,
            coin: "BTC",
            quote_currency: "USDT",
            type: index % 2 === 0 ? "sell" : "close_long"
          })
        )
      )
    await send(ALERTS)
    const late = await follow(ann)
    await ask(ann, "PUT", `signals/${followed}`, { public: false })
    await send(50)
    await ask(ann, "DELETE", `signals/${followed}`)
    server.kill("SIGKILL")
    await server.exited
    server = serve()
    await listening(server.stderr)
    const expected = [
      [hers, ALERTS + 50],
      [his, ALERTS],
      [late, 50]
    ]
    const rows = new Database(db, { readonly: true })
    const outcomes = () =>
      rows.query("SELECT strategy_id, count(*) FROM outcomes GROUP BY strategy_id ORDER BY 1").values()
    const until = performance.now() + SETTLE_MS
    while (!Bun.deepEquals(outcomes(), expected) && performance.now() < until) await Bun.sleep(100)
    expect(outcomes()).toEqual(expected)
    rows.close()
    const verified = await signalbox("verify", "--db", db)
    expect([verified.code, verified.error]).toEqual([0, ""])
  } finally {
    server.kill()
    await server.exited
    rmSync(folder, { recursive: true })
  }
}, 60_000)
