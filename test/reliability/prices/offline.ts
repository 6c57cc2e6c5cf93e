// A server that reaches no exchange: alerts are accepted, wait, and are recorded.
import { readFileSync } from "node:fs"
import { EXCHANGE_NAMES } from "../../../src/domain/Market.ts"
import { Bot } from "./Bot.ts"
import { type Result, result } from "./Case.ts"
import { must, until } from "./until.ts"
import { currencyOf, slotOf } from "./Venue.ts"
import { World } from "./World.ts"

const CPU_MS = 10_000
/** An idle server without prices takes three. */
const MOST_CPU_PERCENT = 8
const MOST_RESIDENT_MB = 200

/** The results of a server without a reachable exchange. */
export interface Offline {
  readonly results: ReadonlyArray<Result>
  readonly residentMb: number
  readonly cpuPercent: number
  /** The first warning of its log. */
  readonly warning: string
}

/** Bots on all seven exchanges, none of which can be reached: alerts are accepted, wait, and are recorded. */
export const offline = async (
  folder: string,
  name: string,
  args: ReadonlyArray<string>
): Promise<Offline> => {
  const world = await World.plain(folder, name, args)
  try {
    const ready = await world.server.fetch("/readyz")
    const bots = await Promise.all(
      EXCHANGE_NAMES.map((exchange) => Bot.make(world, { name: exchange }, slotOf(exchange, "BTC")))
    )
    const results = await Promise.all(
      EXCHANGE_NAMES.map((exchange, index) =>
        result(exchange, async () => {
          must(ready.status === 200, `/readyz was answered ${ready.status}`)
          const state = async () => (await world.feed(exchange))?.state === "unreachable"
          await until("word of it in /healthz", state, 30_000)
          must(
            (await world.metric("signalbox_prices_up", exchange)) === 0,
            "/metrics says that prices come in"
          )
          const feed = await world.feed(exchange)
          must((feed?.reason ?? "") !== "", "/healthz gives no reason")
          const bot = bots[index]
          const reason = await bot?.told(currencyOf(exchange) === "USD" ? "buy" : "long", 15_000)
          must(reason === "no_price", `an entry was recorded as ${reason}`)
          return undefined
        })
      )
    )
    const cpuPercent = await busyOf(world.server.child.pid)
    const residentMb = world.resident
    const warning = world.server.printed.split("\n").find((line) => line.includes(`"level":"warning"`)) ?? ""
    const own = await result("the server", async () => {
      must(cpuPercent < MOST_CPU_PERCENT, `it is busy: ${cpuPercent.toFixed(1)} % of a core`)
      must(residentMb < MOST_RESIDENT_MB, `it takes up ${residentMb.toFixed(0)} MB`)
      must(/network|no prices of/.test(warning), `its first warning is: ${warning}`)
      must((await world.stop()) === 0, "it did not end with 0")
      return undefined
    })
    return { results: [...results, own], residentMb, cpuPercent, warning }
  } finally {
    await world.kill()
  }
}

/** The processor load (% of a core) over real time. */
const busyOf = async (pid: number): Promise<number> => {
  const [cpu, began] = [cpuOf(pid), performance.now()]
  await Bun.sleep(CPU_MS)
  return ((cpuOf(pid) - cpu) / (performance.now() - began)) * 100
}

/** Time on processors (ms), of all threads. */
const cpuOf = (pid: number): number => {
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const [user = 0, system = 0] = rest.split(" ").slice(11, 13).map(Number)
  return (user + system) * TICK_MS
}

const TICK_MS = 10
