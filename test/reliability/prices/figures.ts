// Memory and start time of a server, and its start without a network.
import { join, resolve } from "node:path"
import * as Schema from "effect/Schema"
import { quantile } from "../Figures.ts"
import { Served } from "../Program.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"
import { rowOf } from "./Case.ts"
import { type Offline, offline } from "./offline.ts"
import { residentOf } from "./World.ts"

const MOST_MB = 200
const START_MS = 150
/** Memory without the exchange libraries, which are not loaded before they are needed. */
const UNUSED_MB = 12

/** Memory with all seven exchanges loaded. */
export const memory = (number: number, name: string, residentMb: number): Row => {
  const tally = new Tally()
  tally.within(residentMb, MOST_MB, () => `${residentMb.toFixed(0)} MB`)
  return tally.row(
    `prices ${number}: resident memory (${name})`,
    `${residentMb.toFixed(0)} MB, ${MOST_MB} allowed`
  )
}

/** Checks how soon the server answers, and that it has loaded no library. */
export const starts = async (number: number, folder: string): Promise<Row> => {
  const live = { times: [] as number[], megabytes: [] as number[] }
  const none = { times: [] as number[], megabytes: [] as number[] }
  for (let time = 0; time < 10; time++) {
    await begin(folder, ["--prices", "none"], none)
    await begin(folder, [], live)
  }
  const middle = (values: ReadonlyArray<number>) => quantile(values, 0.5)
  const more = middle(live.megabytes) - middle(none.megabytes)
  const tally = new Tally()
  tally.check(more < UNUSED_MB, () => `${more.toFixed(0)} MB more than without prices`)
  return tally.row(
    `prices ${number}: start to first answer`,
    `median ${middle(live.times).toFixed(0)} ms of 10 (${START_MS} on a quiet machine), without prices ` +
      `${middle(none.times).toFixed(0)} ms; ${more.toFixed(0)} MB more`
  )
}

const begin = async (
  folder: string,
  args: ReadonlyArray<string>,
  figures: { readonly times: Array<number>; readonly megabytes: Array<number> }
): Promise<void> => {
  const began = performance.now()
  const server = await Served.start(join(folder, "starts.db"), args)
  await server.fetch("/healthz")
  figures.times.push(performance.now() - began)
  await Bun.sleep(200)
  figures.megabytes.push(residentOf(server.child.pid))
  await server.stop()
}

/** Runs without a reachable exchange: at addresses where nobody listens, and on a machine without a network. */
export const netless = async (number: number, folder: string): Promise<ReadonlyArray<Row>> => {
  const nowhere = NAMES.map((name) => `${name}=http://127.0.0.1:9`).join(",")
  const [closed, alone] = await Promise.all([
    offline(folder, "closed", ["--exchange-urls", nowhere]),
    isolated()
  ])
  return [
    told(number, "no exchange can be reached", closed),
    ...(alone === undefined ? [] : [told(number, "no network at all", alone)])
  ]
}

const told = (number: number, title: string, { cpuPercent, residentMb, results, warning }: Offline): Row => {
  const row = rowOf({ number, title }, results)
  const words = `${cpuPercent.toFixed(1)} % of a core, ${residentMb.toFixed(0)} MB`
  return {
    ...row,
    worst: `${row.worst}; ${words}`,
    details: [...row.details, ...(row.failures > 0 ? [warning] : [])]
  }
}

const NAMES = ["binance", "bybit", "okx", "kraken", "coinbase", "kucoin", "bitget"]

/** Runs in a namespace with only loopback; absent if the machine forbids namespaces. */
const isolated = async (): Promise<Offline | undefined> => {
  const main = resolve(import.meta.dir, "offlineMain.ts")
  const inside = `ip link set lo up && exec "${process.execPath}" "${main}"`
  const child = Bun.spawn(["unshare", "-rn", "sh", "-c", inside], { stdout: "pipe", stderr: "pipe" })
  const [code, text, said] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ]).catch(() => [1, "", ""] as const)
  if (code !== 0) {
    console.error(`prices: no network namespace to try in: ${said.slice(0, 200)}`)
    return undefined
  }
  return decode(text)
}

const decode = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      results: Schema.Array(
        Schema.Struct({
          name: Schema.String,
          took: Schema.optional(Schema.Number),
          flaw: Schema.optional(Schema.String)
        })
      ),
      residentMb: Schema.Number,
      cpuPercent: Schema.Number,
      warning: Schema.String
    })
  )
)
