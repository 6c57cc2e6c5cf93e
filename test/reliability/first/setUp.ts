// From the bare program to a server with signal, strategy and notification.
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { must, until } from "../prices/until.ts"
import type { Scene } from "./Scene.ts"
import { inWords, type Steps } from "./Steps.ts"

const Setting = Schema.Struct({ value: Schema.Unknown, from: Schema.String })
const Configured = decoder(
  Schema.Struct({
    file: Schema.String,
    settings: Schema.Struct({ port: Setting, "exchange-urls": Setting, host: Setting })
  })
)
const Health = decoder(
  Schema.Struct({
    prices: Schema.Struct({
      exchanges: Schema.Array(
        Schema.Struct({ exchange_name: Schema.String, state: Schema.String, stale: Schema.Int })
      )
    })
  })
)
const Template = decoder(
  Schema.Struct({
    url: Schema.String,
    scope: Schema.String,
    alerts: Schema.Array(Schema.Struct({ type: Schema.String, message: Schema.String }))
  })
)
const Parsed = decoder(
  Schema.Struct({
    coin: Schema.String,
    quote_currency: Schema.String,
    type: Schema.String,
    fields: Schema.Array(Schema.Struct({ field: Schema.String, from: Schema.String }))
  })
)
const Tested = decoder(
  Schema.Struct({
    test: Schema.Boolean,
    outcomes: Schema.Array(Schema.Struct({ reason: Schema.String }))
  })
)

function decoder<A, I>(schema: Schema.Schema<A, I>) {
  return Schema.decodeUnknownSync(Schema.parseJson(schema))
}

/** The README's strategy, word for word. */
const STRATEGY = {
  name: "First steps",
  description: "",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 25,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }],
  sell_minprofitpercent: 2,
  stop_loss: true,
  stop_loss_percentage: 4,
  signal_id: 1
}

/** Goes from the bare program to a server that has all that an alert needs. */
export const setUp = async (steps: Steps, scene: Scene): Promise<void> => {
  const { market, newcomer, receiver } = scene

  await steps.take("--version and --help work without any environment", async () => {
    const version = await newcomer.run(["--version"], "", {})
    must(
      version.exitCode === 0 && /^\d+\.\d+\.\d+\n/.test(version.stdout),
      `--version said ${version.stdout}`
    )
    const help = await newcomer.run(["--help"], "", {})
    must(help.exitCode === 0 && help.stdout.includes("signalbox COMMAND --help"), `--help: ${help.stderr}`)
    must(!help.stdout.includes("\u001b"), "--help has colour codes")
    must(readdirSync(newcomer.home).length === 0, "they left files behind")
    return undefined
  })

  await steps.take("service prints a unit", async () => {
    const unit = await newcomer.said(["service"])
    for (const part of ["[Unit]", "[Service]", "ExecStart=", "StateDirectory=", "[Install]"])
      must(unit.includes(part), `the unit has no ${part}`)
    return undefined
  })

  await steps.take("a configuration file is found and reported", async () => {
    const folder = join(newcomer.home, ".config/signalbox")
    mkdirSync(folder, { recursive: true })
    const file = join(folder, "signalbox.toml")
    await Bun.write(file, `port = ${newcomer.port}\nexchange-urls = "binance=${market.stub.url}"\n`)
    const told = Configured(await newcomer.said(["config", "--json"]))
    const { "exchange-urls": urls, host, port } = told.settings
    must(told.file === file, `the file in force is ${told.file}`)
    must(port.value === newcomer.port && port.from === "file", `port: ${JSON.stringify(port)}`)
    must(urls.value === `binance=${market.stub.url}` && urls.from === "file", `urls: ${JSON.stringify(urls)}`)
    must(host.from === "default", `host: ${JSON.stringify(host)}`)
    return undefined
  })

  await steps.take("the server starts on the file's port", async () => {
    const { listening, ready } = await newcomer.serve()
    const db = join(newcomer.home, ".local/share/signalbox/signalbox.db")
    must(existsSync(db), `there is no ${db}`)
    return `listening after ${inWords(listening)}, ready after ${inWords(ready)}`
  })

  await steps.take("token, signal and strategy are created as in the README", async () => {
    const [token = ""] = (await newcomer.said(["token", "create", "--account", "me"])).split("\n")
    newcomer.keep(token)
    const form = { name: "My signal", description: "Crossing averages", active: "1", public: "0" }
    await newcomer.ask("/v1/signals", { method: "POST", body: new URLSearchParams(form) }, 201)
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify(STRATEGY)
    await newcomer.ask("/v1/strategies", { method: "POST", headers, body }, 201)
    return undefined
  })

  await steps.take("prices stream from the exchange", async () => {
    const streams = async () => {
      const { exchanges } = Health(await newcomer.ask("/healthz")).prices
      return exchanges.some((it) => it.exchange_name === "binance" && it.state === "streaming")
    }
    const took = await until("prices that stream", streams, 15_000)
    return `${inWords(took)} after the strategy was there`
  })

  await steps.take("signal url prints an address and messages", async () => {
    const template = Template(await newcomer.said(["signal", "url", "1", "--json"]))
    must(template.scope === "alerts", `the token's scope is ${template.scope}`)
    must(
      template.url.startsWith(`${newcomer.address}/v1/signals/charting?key=`),
      `the address: ${template.url}`
    )
    const message = template.alerts.find(({ type }) => type === "buy")?.message ?? ""
    must(message.includes("{{ticker}}") && message.includes("{{timenow}}"), `the message: ${message}`)
    scene.pasted = { url: template.url, message }
    return undefined
  })

  await steps.take("notify add creates a target, and its test arrives", async () => {
    const own = "--allow-private-targets"
    const add = ["notify", "add", "webhook", "--account", "me"]
    const guarded = await newcomer.run(add, `${receiver.address}\n`)
    must(guarded.exitCode !== 0, "an address of the own network was taken without leave")
    const added = await newcomer.said([...add, own], `${receiver.address}\n`)
    receiver.keep(added.split("\n")[0] ?? "")
    await newcomer.said(["notify", "test", "1", own])
    must(receiver.told.length === 1 && receiver.of("test").length === 1, "no test arrived")
    scene.believed()
    const listed = await newcomer.said(["notify", "list"])
    must(!/whsec_|\/hook/.test(listed), "notify list shows what is secret")
    return undefined
  })

  await steps.take("alerts/parse explains an alert", async () => {
    const body = '{ "ticker": "BINANCE:ETHUSDT", "action": "sell" }'
    const text = await newcomer.ask("/v1/alerts/parse?signal_id=1", { method: "POST", body })
    const { coin, fields, quote_currency, type } = Parsed(text)
    must(`${type} ${coin}/${quote_currency}` === "sell ETH/USDT", text)
    must(
      fields.some((it) => it.field === "coin" && it.from === "ticker"),
      text
    )
    return undefined
  })

  await steps.take("a test alert is explained and changes nothing", async () => {
    const { message } = scene.pasted
    const sent = filled(message).replace("{", '{"test":true,')
    const tested = Tested(await scene.paste(sent))
    must(tested.test && tested.outcomes[0]?.reason === "opened", JSON.stringify(tested))
    const told = await newcomer.said(["alert", "test", "1", "buy", "BTC/USDT"])
    must(new RegExp(`Ordered to buy [\\d.]+ BTC on BTC/USDT at ${market.quote.ask}\\.`).test(told), told)
    const timeline = await newcomer.ask("/v1/strategies/1/timeline")
    must(!timeline.includes('"opened"'), `something was opened: ${timeline}`)
    must(receiver.told.length === 1, "it was told of")
    return undefined
  })
}

/** A message with its placeholders filled, as the platform sends it. */
export const filled = (message: string): string =>
  message
    .replace("{{ticker}}", "BTCUSDT")
    .replace("{{timenow}}", new Date().toISOString().replace(/\.\d+Z$/, "Z"))
