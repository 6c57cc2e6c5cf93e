// Input that is read as keys, and input that is refused.
import { expect, test } from "bun:test"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { refuseSecrets } from "../../src/cli/account/arguments.ts"
import * as Keys from "../../src/cli/account/Keys.ts"
import { EXCHANGE_NAMES, type KnownExchange } from "../../src/domain/Market.ts"
import { privates } from "../exchanges/private/privates.ts"

/** The keys that were read, or the error. */
const read = (exchange: KnownExchange, input: string) =>
  Effect.runPromise(
    Effect.match(Keys.read(exchange, input), {
      onFailure: ({ message }) => message,
      onSuccess: ({ apiKey, password, secret }) =>
        [apiKey, secret, ...(password === undefined ? [] : [password])].map(Redacted.value)
    })
  )
const valuesOf = (exchange: KnownExchange) => {
  const { apiKey, password, secret } = privates[exchange].credentials
  return [apiKey, secret, ...(password === undefined ? [] : [password])]
}

test.each([...EXCHANGE_NAMES])(
  "%s: keys are read from one line each, or from a JSON object",
  async (name) => {
    const values = valuesOf(name)
    for (const input of [
      values.join("\n"),
      `\n${values.map((value) => ` ${value.trim()} `).join("\r\n")}\r\n`,
      JSON.stringify(privates[name].credentials),
      ` ${JSON.stringify(privates[name].credentials, null, 2)}\n`
    ])
      expect(await read(name, input)).toEqual(values)
  }
)

test("a private key is read with its lines, in one line, or as Coinbase's download has it", async () => {
  const [name = "", pem = ""] = valuesOf("coinbase")
  for (const input of [
    `${name}\n${pem.trim().replaceAll("\n", "\\n")}\n`,
    `${name}\r\n${pem.replaceAll("\n", "\r\n")}\r\n`,
    JSON.stringify({ name, privateKey: pem }),
    JSON.stringify({ name, privateKey: pem.replaceAll("\n", "\\n") })
  ])
    expect(await read("coinbase", input)).toEqual([name, pem])
})

test.each([
  ["binance", "", "API key: it is missing"],
  ["binance", "k3y\n", "API secret: it is missing"],
  ["okx", "k3y\ns3cret\n", "Passphrase of the key: it is missing"],
  ["kucoin", `{"apiKey":"k3y","secret":"s3cret"}`, "Passphrase of the key: it is missing"],
  ["binance", `{"apiKey":"k3y", s3cret}`, "standard input has to be a JSON object of texts: apiKey, secret"],
  ["binance", `{"apiKey":3,"secret":"s3cret"}`, "standard input has to be a JSON object of texts"],
  ["binance", "k3y\ns3cret s3cret\n", "API secret: it has a blank in it"],
  ["binance", "k3y\ns3\tcret\n", "API secret: it has characters that no key has"],
  ["bybit", "k3ÿ\ns3cret\n", "API key: it has characters that no key has"],
  ["bybit", `k3y\n${"s3cret".repeat(100)}\n`, "API secret: it is longer than 512 characters"],
  ["kraken", "k3y\ns3cret\n", "API secret: it is not the private key that Kraken showed"],
  [
    "coinbase",
    "k3y\n-----BEGIN EC PRIVATE KEY-----\ns3cret\n",
    "Private key, from BEGIN to END: it is not a private key"
  ],
  [
    "coinbase",
    "k3y\n-----BEGIN EC PRIVATE KEY-----\ns3cret\n-----END EC PRIVATE KEY-----\n",
    "Private key, from BEGIN to END: it is not a private key"
  ]
] as const)("%s refuses %j, and repeats no part of it", async (name, input, said) => {
  const words = await read(name, input)
  expect(words).toStartWith(said)
  expect(words).not.toMatch(/s3|k3/)
})

test.each([
  ["account connect binance --api-key s3cret", false],
  ["account connect binance --secret=s3cret", false],
  ["account connect --passphrase s3cret okx", false],
  ["account connect binance --s3cret", false],
  ["account connect binance s3cret", false],
  ["account connect binance --name x s3cret", false],
  ["account rekey main s3cret", false],
  ["account rekey main -k s3cret", false],
  ["account connect binance", true],
  ["account connect --name x --sandbox binance --json --db y.db --owner me --no-check", true],
  ["account connect --name=x binance --exchange-urls=okx=http://127.0.0.1:1", true],
  ["account connect --help", true],
  ["account rekey main --new-master-key", true],
  ["account check a b --c", true],
  ["token create --account me", true]
])("only a key on the command line is refused: signalbox %s", async (line, isTaken) => {
  const refused = await Effect.runPromise(
    Effect.match(refuseSecrets(["bun", "main.ts", ...line.split(" ")]), {
      onFailure: ({ message }) => message,
      onSuccess: () => undefined
    })
  )
  expect(refused === undefined).toBe(isTaken)
  expect(refused ?? "").not.toContain("s3cret")
})
