// Keys of exchanges, and the master key that seals them, sent through every command that takes or uses them.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Pair } from "../../../src/domain/Market.ts"
import { protocols } from "../../exchanges/protocols.ts"
import { Stub } from "../../exchanges/Stub.ts"
import { command } from "../Program.ts"
import type { Tally } from "../Tally.ts"

/** A stub exchange with keys that must appear nowhere. */
export interface Vaulted {
  readonly stub: Stub
  /** The secrets by their kind. */
  readonly secrets: ReadonlyArray<{ readonly name: string; readonly text: string }>
  readonly outputs: ReadonlyArray<{ readonly place: string; readonly text: string }>
}

const word = (name: string) => `${name}-${crypto.randomUUID()}${crypto.randomUUID()}`

/** Runs all account commands, with valid and invalid input. `home` is the folder of the master key. */
export const vaulted = async (db: string, home: string, sent: Tally): Promise<Vaulted> => {
  const stub = await Stub.start(
    protocols.okx,
    [
      {
        ...{ pair: Pair.make("BTC/USDT"), kind: "spot", priceStep: "0.01", amountStep: "0.0001" },
        ...{ minAmount: "0.0002", minCost: "5", makerFee: 0.001, takerFee: 0.002 }
      }
    ],
    { door: false }
  )
  const keys = { apiKey: word("key"), secret: word("secret"), password: word("passphrase") }
  const fresh = { apiKey: word("fresh-key"), secret: word("fresh-secret"), password: word("fresh-pass") }
  const wrong = { apiKey: word("wrong-key"), secret: word("wrong-secret"), password: word("wrong-pass") }
  stub.desk.credentials = keys
  const outputs: Array<{ readonly place: string; readonly text: string }> = []
  const run = async (code: number, input: object | string, ...words: ReadonlyArray<string>) => {
    const args = ["--log-level", "all", "account", ...words, "--db", db]
    const { exitCode, stderr, stdout } = await command(args, {
      env: { XDG_CONFIG_HOME: home, SIGNALBOX_EXCHANGE_URLS: `okx=${stub.url}` },
      input: typeof input === "string" ? input : JSON.stringify(input)
    })
    const place = `signalbox account ${words.slice(0, 2).join(" ")}`
    outputs.push({ place, text: stdout + stderr })
    sent.check(exitCode === code, () => `${place}: exit ${exitCode}: ${stderr.slice(0, 200)}`)
  }
  await run(0, keys, "connect", "okx", "--name", "main")
  await run(1, wrong, "connect", "okx", "--name", "wrong")
  await run(1, { ...keys, password: wrong.password }, "connect", "okx", "--name", "wrong")
  await run(2, `{"apiKey":"${wrong.apiKey}", ${wrong.secret}}`, "connect", "okx", "--name", "wrong")
  await run(2, "", "connect", "okx", "--name", "wrong", "--secret", wrong.secret)
  await run(0, "", "list")
  await run(0, "", "list", "--json")
  await run(0, "", "check", "main")
  stub.desk.troubles.plan("any", { how: "status", when: "before", status: 500 }, 3)
  await run(1, "", "check", "main")
  stub.desk.troubles.clear()
  stub.desk.credentials = fresh
  await run(1, "", "check", "main")
  await run(0, fresh, "rekey", "main")
  const before = keyIn(home)
  await run(0, "", "rotate-key")
  await run(0, "", "check", "main", "--json")
  const secrets = Object.entries({ keys, fresh, wrong }).flatMap(([kind, credentials]) =>
    Object.entries(credentials).map(([name, text]) => ({ name: `${kind}: ${name}`, text }))
  )
  return {
    stub,
    outputs,
    secrets: [
      ...secrets,
      { name: "the master key", text: keyIn(home) },
      { name: "the master key before", text: before }
    ]
  }
}

const keyIn = (home: string): string => readFileSync(join(home, "signalbox", "master.key"), "utf8").trim()
