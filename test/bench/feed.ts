// Live prices in the compiled program: the cost of 500 markets at 20 prices a second with 1,000 bots.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import { EXCHANGE_NAMES, isKnownCurrency, quoteOf } from "../../src/domain/Market.ts"
import { Owner } from "../reliability/Owner.ts"
import { Served, token } from "../reliability/Program.ts"
import type { Line } from "./line.ts"

const MARKETS = 500
const RATE = 20
const BOTS = 1000
const SECONDS = 10
const MOST_CORE = 0.5
const MOST_MB = 200
/** Clock ticks a second in /proc. */
const HERTZ = 100

export default async (): Promise<ReadonlyArray<Line>> => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-bench-"))
  const stubs = await spawned("feedStubs.ts", MARKETS, RATE)
  try {
    const urls: Readonly<Record<string, string>> = JSON.parse(stubs.said)
    const db = join(folder, "x.db")
    const full = await token(db, "bench", "full")
    const lifted = ["--crud-rate", "0", "--alert-rate", "0", "--max-strategies", `${BOTS}`]
    const exchanges = ["--exchange-urls", EXCHANGE_NAMES.map((name) => `${name}=${urls[name]}`).join(",")]
    const server = await Served.start(db, ["--prices", "live", ...lifted, ...exchanges])
    try {
      return await measured(server, new Owner(server, full), full, urls)
    } finally {
      await server.stop()
    }
  } finally {
    stubs.child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts another script of this folder, and returns its first line. */
const spawned = async (script: string, ...args: ReadonlyArray<string | number>) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args.map(String)], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit"
  })
  for await (const bytes of child.stdout) return { child, said: new TextDecoder().decode(bytes) }
  throw new Error(`${script} ended`)
}

const measured = async (
  server: Served,
  owner: Owner,
  full: string,
  urls: Readonly<Record<string, string>>
): Promise<ReadonlyArray<Line>> => {
  const pid = server.child.pid
  const places = placesOf(MARKETS)
  const signal = await owner.signal("bench")
  let loaded = 0
  for (let bot = 0; bot < BOTS; bot++) {
    // One market of each exchange loads the whole library.
    if (bot === EXCHANGE_NAMES.length) {
      await streaming(server)
      loaded = residentOf(pid)
    }
    const place = places[bot % places.length]
    if (place === undefined) throw new Error("there are no markets")
    const exchange = { exchange_name: place.exchange, coin_pairs: [place.pair] }
    await owner.strategy(signal, [], {
      default_exchange_name: place.exchange,
      default_quote_currency: quoteOf(place.pair),
      exchanges: [exchange],
      stop_loss: true,
      stop_loss_percentage: 50,
      sell_minprofitpercent: 40
    })
  }
  await streaming(server)
  for (const pair of new Set(places.map(({ pair }) => pair))) {
    const [coin, quote] = pair.split("/")
    const body = new URLSearchParams({
      signal_id: `${signal}`,
      coin: coin ?? "",
      quote_currency: quote ?? "",
      type: "buy"
    })
    await server.fetch("/v1/signals/alert", { method: "POST", headers: owner.headers, body })
  }
  await Bun.sleep(5000)
  const bare = spawned("feedBare.ts", urls["okx"] ?? "", SECONDS)
  const before = { cpu: cpuOf(pid), told: await told(server, full) }
  const began = performance.now()
  await Bun.sleep(SECONDS * 1000)
  const seconds = (performance.now() - began) / 1000
  const cpu = (cpuOf(pid) - before.cpu) / seconds
  const rate = ((await told(server, full)) - before.told) / seconds
  const micros = (cpu / rate) * 1e6
  const bareMicros = Number.parseFloat((await bare).said)
  const text =
    `${BOTS} bots, ${MARKETS} markets of seven exchanges, ${Math.round(rate)} prices/s through ccxt: ` +
    `${(cpu * 100).toFixed(1)} % of a core (at most ${MOST_CORE * 100} %), ${micros.toFixed(1)} us a price; ` +
    `a bare socket with JSON.parse ${bareMicros.toFixed(1)} us; ratio ${(bareMicros / micros).toFixed(2)}; ` +
    `${loaded.toFixed(0)} MB resident with all seven loaded (at most ${MOST_MB}), ` +
    `${residentOf(pid).toFixed(0)} MB with all bots`
  const isFast = rate > 0.8 * MARKETS * RATE
  return [{ name: "feed", text, ok: cpu <= MOST_CORE && loaded <= MOST_MB && isFast }]
}

/** Spot markets of the exchanges in turn, until they and their perpetuals are enough. */
const placesOf = (count: number) => {
  const shelves = EXCHANGE_NAMES.map((name) =>
    Catalogue.markets(name).filter(({ kind, pair }) => kind === "spot" && isKnownCurrency(quoteOf(pair)))
  )
  const perpetuals = new Set(
    Catalogue.all()
      .filter(({ kind }) => kind === "swap")
      .map(({ exchange, pair }) => `${exchange}:${pair}`)
  )
  const places = []
  for (let row = 0, markets = 0; markets < count; row++) {
    for (const shelf of shelves) {
      const place = shelf[row]
      if (place === undefined || markets >= count) continue
      markets += perpetuals.has(`${place.exchange}:${place.pair}`) ? 2 : 1
      places.push(place)
    }
  }
  return places
}

interface Health {
  readonly prices?: { readonly exchanges: ReadonlyArray<{ readonly state: string; readonly stale: number }> }
}

const streaming = async (server: Served): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const health: Health = JSON.parse(await (await server.fetch("/healthz")).text())
    const exchanges = health.prices?.exchanges ?? []
    if (exchanges.length === 7 && exchanges.every(({ stale, state }) => state === "streaming" && stale === 0))
      return
    await Bun.sleep(200)
  }
  throw new Error(`prices did not come: ${await (await server.fetch("/healthz")).text()}`)
}

/** Processor time so far, in seconds. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / HERTZ
}

/** Resident memory, in MB. */
const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

/** Prices received so far. */
const told = async (server: Served, full: string): Promise<number> => {
  const text = await (await server.fetch("/metrics", { headers: { authorization: `Bearer ${full}` } })).text()
  return [...text.matchAll(/^signalbox_quotes_\w+_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0
  )
}
