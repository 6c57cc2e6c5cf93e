// `config` and the configuration file: precedence of sources, validation, and hidden secrets.
import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import { brokenBy, HEADINGS, list, SERVER, SETTINGS } from "../../src/Config.ts"
import * as File from "../../src/cli/config/File.ts"
import { BY_NAME, meant, shown } from "../../src/cli/config/settings.ts"
import { pairs } from "../../src/config/Tree.ts"
import { STARTING_BALANCES } from "../../src/domain/Bot.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { MAX_PAIRS } from "../../src/domain/Strategy.ts"
import { MAX_SIGNALS, MAX_STRATEGIES } from "../../src/services/health/Limits.ts"
import { DEFAULT_PATIENCE } from "../../src/trading/AlertPatience.ts"
import { signalboxWith } from "../lib/cli.ts"
import { DEFAULTS } from "../lib/options.ts"

const folder = mkdtempSync(join(tmpdir(), "signalbox-config-"))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (text: string): string => {
  const path = join(folder, "signalbox.toml")
  writeFileSync(path, text)
  return path
}

/** The settings of a file, or its errors. */
const read = (text: string) =>
  Effect.runSync(
    Effect.either(File.find(Option.some(fileOf(text)))).pipe(
      Effect.map(
        Either.match({
          onLeft: ({ message }) => message.replaceAll(folder, "."),
          onRight: (file) => Object.fromEntries(Option.getOrThrow(file).values)
        })
      )
    )
  )

describe("a configuration file", () => {
  test("takes the names of options, and sets what variables set in the environment", () =>
    expect(
      read(
        'port = 9000 # mine\nrecord = "off"\npaper-btc = 0.5\nhost = "::1"\nexchange-urls = ""\ndashboard = ""\n'
      )
    ).toEqual({
      SIGNALBOX_PORT: "9000",
      SIGNALBOX_RECORD: "off",
      SIGNALBOX_PAPER_BTC: "0.5",
      SIGNALBOX_HOST: "::1"
    }))

  test.each([
    ['port = "8080"', "port takes a whole number, and not a text"],
    ["port = 80.5", "port takes a whole number, and not the number 80.5"],
    ["port = 70000", "port takes a number from 0 to 65535, and not 70000"],
    ["paper-usdt = inf", "paper-usdt takes a number, and not Infinity"],
    ["any-time = 1", "any-time takes true or false, and not the number 1"],
    ["any-time = 'true'", "any-time takes true or false, and not a text"],
    ["record = true", "record takes a text in quotes, and not true"],
    ["host = [1]", "host takes a text in quotes, and not a list"],
    ['dashboard = "maybe"', "dashboard takes on or off, and not maybe"],
    ['with-strategy = "3,x"', "with-strategy takes numbers of strategies, like 3 or 3,7, and not 3,x"],
    ["[prices]\nlive = 1", "prices takes a text in quotes, and not a table"],
    ["max_pairs = 3", "there is no setting max_pairs; did you mean max-pairs?"],
    ["SIGNALBOX_PORT = 1", "there is no setting SIGNALBOX_PORT; did you mean port?"],
    ["prot = 1", "there is no setting prot; did you mean port?"],
    ["toString = 1", "there is no setting toString; signalbox config lists them all"],
    ["a = 1", "there is no setting a; signalbox config lists them all"]
  ])("is refused with a reason: %s", (text, flaw) => expect(read(text)).toBe(`./signalbox.toml: ${flaw}`))

  test("is refused with all of its errors at once", () =>
    expect(read("prot = 1\nport = 80\nany-time = 0")).toBe(
      "./signalbox.toml: there is no setting prot; did you mean port?\n" +
        "signalbox: ./signalbox.toml: any-time takes true or false, and not the number 0"
    ))

  test("that is not TOML is refused with the line", () =>
    expect(read('port = 80\n\nhost = "x\n')).toMatch(/^\.\/signalbox\.toml, line 3, is not TOML: /))
})

test("every kind of setting refuses values of other kinds", () => {
  const values = { text: "a", list: "3,7", secret: "a", integer: 3, number: 1.5, flag: true }
  for (const { kind, name } of BY_NAME.values()) {
    expect([name, kind.accepts(values[kind.word])]).toEqual([name, true])
    expect([name, kind.accepts([])]).toEqual([name, false])
  }
})

test("every setting is under one heading, and named as the server's options name it", () => {
  const named = HEADINGS.flatMap(([, settings]) => list(settings))
  expect(new Set(named)).toEqual(new Set(BY_NAME.values()))
  expect(named).toHaveLength(BY_NAME.size)
  const hyphened = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const keys = Object.entries(SETTINGS).flatMap(([key, node]) =>
    key === "paper" ? Object.keys(node).map((currency) => `paper-${currency.toLowerCase()}`) : [hyphened(key)]
  )
  expect(keys.toSorted()).toEqual([...BY_NAME.keys()])
})

test("every default is a value that its setting takes", () => {
  const broken = pairs(SERVER, DEFAULTS).filter(
    ([setting, value]) => !setting.kind.is(value) || Option.isSome(brokenBy(setting, value))
  )
  expect(broken).toEqual([])
})

test("a server in memory has the same defaults", () =>
  expect(DEFAULTS).toMatchObject({
    staleAfter: DEFAULT_PATIENCE.entryMs / 1000,
    priceWait: DEFAULT_PATIENCE.priceMs / 1000,
    paper: Record.map(STARTING_BALANCES, Decimal.toNumber),
    maxSignals: MAX_SIGNALS,
    maxStrategies: MAX_STRATEGIES,
    maxPairs: MAX_PAIRS
  }))

test("secrets are hidden when a setting is shown", () => {
  expect(shown(Redacted.make("geheim"))).toBe("<redacted>")
  expect(shown("binance=http://me:geheim@127.0.0.1:1,okx=http://x/a@b")).toBe(
    "binance=http://<redacted>@127.0.0.1:1,okx=http://x/a@b"
  )
  expect(shown(3)).toBe(3)
})

test("only misspelt names get a suggestion", () => {
  expect(meant("Crud_Rate")).toBe("crud-rate")
  expect(meant("crudrate")).toBe("crud-rate")
  expect(meant("colour")).toBeUndefined()
})

test("the command line overrides the environment, which overrides the file, which overrides the default", async () => {
  const file = fileOf(
    'port = 1\nhost = "file"\nprices = "none"\nexchange-urls = "okx=http://a:geheim@127.0.0.1:1"'
  )
  const [asJson, asTable, refused] = await Promise.all([
    signalboxWith(
      { SIGNALBOX_CONFIG: file, SIGNALBOX_PORT: "2", SIGNALBOX_HOST: "env", SIGNALBOX_PRICES: "" },
      ...["config", "--port", "3", "--json"]
    ),
    signalboxWith({ SIGNALBOX_CONFIG: "/nowhere", SIGNALBOX_PROT: "1" }, "config", `--config=${file}`),
    signalboxWith(
      { XDG_CONFIG_HOME: join(folder, "none"), SIGNALBOX_CONFIG: "" },
      ...["serve", "--config", join(folder, "none.toml"), "--db", join(folder, "x.db")]
    )
  ])
  expect([asJson.code, asJson.error]).toEqual([0, ""])
  const document = JSON.parse(asJson.out)
  expect(document).toMatchObject({
    file,
    settings: {
      port: { value: 3, from: "command line", variable: "SIGNALBOX_PORT" },
      host: { value: "env", from: "environment" },
      prices: { value: "none", from: "file" },
      "alert-rate": { value: 30, from: "default" }
    }
  })
  expect(Object.keys(document.settings)).toEqual([...BY_NAME.keys()])
  expect(asJson.out + asTable.out).not.toContain("geheim")
  expect(asTable.out).toMatch(/^Configuration file: .+\n\nsetting +value +from\n/)
  expect(asTable.out).toMatch(/\nhost +file +file\n/)
  expect(asTable.error).toBe("signalbox: the environment sets SIGNALBOX_PROT, which is not a setting\n")
  expect(refused).toEqual({
    code: 2,
    out: "",
    error: `signalbox: there is no configuration file ${join(folder, "none.toml")}\n`
  })
  expect(existsSync(join(folder, "x.db"))).toBe(false)
})

test.each([
  ["--port 99999", {}, "--port (SIGNALBOX_PORT) takes a number from 0 to 65535, and not 99999"],
  ["", { SIGNALBOX_PORT: "99999" }, "--port (SIGNALBOX_PORT) takes a number from 0 to 65535, and not 99999"],
  ["--dashboard maybe", {}, "--dashboard (SIGNALBOX_DASHBOARD) takes on or off, and not maybe"],
  ["--tls-cert cert.pem", {}, "--tls-cert and --tls-key go together"],
  ["--trusted-proxies me", {}, "--trusted-proxies takes addresses and CIDR blocks: 10.0.0.0/8,::1"],
  [
    "--paper-fills funding=on",
    {},
    "--paper-fills (SIGNALBOX_PAPER_FILLS) takes slippage=0.05% or slippage=2ticks, spread=0.02%, latency=500ms (5000ms at most) and limits=through, separated by commas, and not funding=on"
  ],
  [
    "--paper-fills spread=recorded",
    {},
    "--paper-fills (SIGNALBOX_PAPER_FILLS) takes slippage=0.05% or slippage=2ticks, spread=0.02%, latency=500ms (5000ms at most) and limits=through, separated by commas, and not spread=recorded"
  ],
  [
    "--prices replay:nowhere --paper-fills latency=1ms",
    {},
    "--paper-fills has a latency, and a replay has no prices between its candles: leave it out"
  ],
  ["--prices yesterday", {}, "--prices takes live, none, or replay:PATH"],
  ["--record yes", {}, "--record (SIGNALBOX_RECORD) takes on or off, and not yes"]
])("config refuses in the words of serve what serve refuses: %s %p", async (line, environment, text) => {
  const words = line.split(" ").filter((word) => word !== "")
  const [shown, served] = await Promise.all([
    signalboxWith(environment, "config", ...words),
    signalboxWith(environment, "serve", "--db", join(folder, "refused.db"), ...words)
  ])
  const refused = { code: 2, out: "", error: `signalbox: ${text}\n` }
  expect([shown, served]).toEqual([refused, refused])
  expect(existsSync(join(folder, "refused.db"))).toBe(false)
})
