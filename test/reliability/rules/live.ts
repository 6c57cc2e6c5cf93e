// A rule on the minutes of a stub of an exchange: streams that are cut, an exchange that is late with its candles or corrects
// them, and kills of the server around the close. Each candle raises its one alert, live, by the candle as it was known.
import { MinuteMarket } from "../../browser/lib/MinuteMarket.ts"
import { Owner } from "../Owner.ts"
import { inFolder, Served, token } from "../Program.ts"
import { until } from "../prices/until.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"

const MINUTE = 60_000
const STEP = 60
/** What happens in a minute; the price goes up or down in each. */
type Trouble = "cut" | "late" | "killed" | "corrected" | "none"
type Plan = ReadonlyArray<readonly [way: "up" | "down", trouble: Trouble]>

/** The exchange corrects the second candle to one that fell: the third one rises anew, and raises an alert again. */
const SHORT: Plan = [
  ["down", "cut"],
  ["up", "corrected"],
  ["up", "none"]
]
const LONG: Plan = [...SHORT, ["down", "late"], ["up", "killed"], ["down", "cut"], ["up", "killed"]]

const RULE = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
  timeframe: "1m",
  on: [
    { type: "buy", when: "close > open" },
    { type: "sell", when: "close < open" }
  ]
}

interface Incoming {
  readonly type: string
  readonly door: string
  readonly received_at: number
}

/** The row of the table. */
export const liveRules = (short: boolean): Promise<Row> =>
  inFolder(async (folder) => {
    const tally = new Tally()
    const market = await MinuteMarket.open()
    const db = `${folder}/signalbox.db`
    const key = await token(db, "rules", "full")
    const start = () =>
      Served.start(db, ["--crud-rate", "0", "--exchange-urls", `binance=${market.stub.url}`])
    let server = await start()
    try {
      await atWork(server, key)
      const plan = short ? SHORT : LONG
      const expected: Array<readonly [type: string, at: number]> = []
      for (const [way, trouble] of plan) {
        const begin = (Math.floor(Date.now() / MINUTE) + 1) * MINUTE
        await till(begin + 2_000)
        market.lateMs = 0
        market.move(market.price + (way === "up" ? STEP : -STEP))
        await till(begin + 20_000)
        if (trouble === "cut") market.stub.cut()
        await till(begin + 55_000)
        if (trouble === "late") market.lateMs = 4_000
        if (trouble === "corrected") {
          market.lateMs = 4_000
          market.amend(market.price - 3 * STEP)
        }
        if (trouble === "killed") {
          await till(begin + MINUTE - 1_000 + 3_000 * Math.random())
          await server.stop("SIGKILL")
          server = await start()
        }
        expected.push([way === "up" ? "buy" : "sell", begin + MINUTE])
      }
      const alerts = async () => alertsOf(server, key)
      await until("the last alert", async () => (await alerts()).length >= expected.length, 30_000).catch(
        () => {}
      )
      const found = await alerts()
      tally.check(
        Bun.deepEquals(found, expected),
        () =>
          `${JSON.stringify(plan)} raised ${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`
      )
      return tally.row(
        "rules: streams cut, candles late and corrected",
        `${found.length} alerts of ${plan.length} minutes`
      )
    } finally {
      await server.stop()
      await market.close()
    }
  })

/** Makes a signal with the rule, and waits until it is looked at. */
const atWork = async (server: Served, key: string): Promise<void> => {
  const owner = new Owner(server, key)
  const id = await owner.signal("minutes")
  const headers = { ...owner.headers, "content-type": "application/json" }
  const response = await server.fetch(`/v1/signals/${id}`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ rule: RULE })
  })
  if (!response.ok) throw new Error(`the rule was answered ${response.status}: ${await response.text()}`)
  await owner.strategy(id, ["BTC/USDT"])
  await until(
    "rule at work",
    async () => {
      const signal: { readonly rule_status?: { readonly state?: string } } = JSON.parse(
        await (await server.fetch(`/v1/signals/${id}`, { headers })).text()
      )
      return signal.rule_status?.state === "acting"
    },
    60_000
  )
}

/** The alerts of rules, oldest first: their type, and the close of their candle (ms). */
const alertsOf = async (server: Served, key: string): Promise<ReadonlyArray<readonly [string, number]>> => {
  const answer = await server.fetch("/v1/dashboard/alerts?limit=100", {
    headers: new Owner(server, key).headers
  })
  const { data }: { readonly data: ReadonlyArray<Incoming> } = JSON.parse(await answer.text())
  return data
    .filter(({ door }) => door === "rule")
    .map(({ received_at, type }) => [type, Math.round(received_at * 1000)] as const)
    .sort(([, one], [, other]) => one - other)
}

const till = (time: number): Promise<void> => Bun.sleep(Math.max(0, time - Date.now()))
