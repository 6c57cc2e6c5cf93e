// Follows one chart: sends a message for each of its fills and compares the bot's position with the chart's after it.
import * as Schema from "effect/Schema"
import { BotState } from "../../../src/domain/Bot.ts"
import * as Decimal from "../../../src/domain/Decimal.ts"
import type { MarketKind } from "../../../src/domain/Market.ts"
import type { Fill } from "../../lib/pine/Broker.ts"
import { messageOf } from "../../lib/pine/Message.ts"
import type { Script } from "../../lib/pine/Scripts.ts"
import { command } from "../Program.ts"
import { until } from "../prices/until.ts"
import type { World } from "../prices/World.ts"
import { Gauge } from "./Gauge.ts"

/** The chart to follow, and when a message of a bar's time is due (on the clock of `performance.now`). */
export interface Chart {
  readonly world: World
  readonly script: Script
  readonly kind: MarketKind
  readonly fills: ReadonlyArray<Fill>
  readonly dueAt: (time: number) => number
}

/** What came of it. `apart` is the largest distance from the chart's ratio, in amount steps of the market. */
export interface Followed {
  readonly name: string
  readonly steps: number
  readonly apart: number
  readonly kinds: string
  readonly differences: ReadonlyArray<string>
}

const OUTCOME_MS = 10_000

export const follow = async ({ dueAt, fills, kind, script, world }: Chart): Promise<Followed> => {
  const name = `${script.name} (${kind})`
  const signal = await world.owner.signal(`${script.name.slice(0, 20)} ${kind}`)
  const strategy = await world.owner.strategy(signal, ["BTC/USDT"], {
    name,
    default_exchange_name: "bybit",
    exchanges: [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }],
    buy_percentage: 20,
    max_entries: 50
  })
  const gauge = new Gauge(kind, await stepOf(kind))
  for (const fill of fills) {
    await Bun.sleep(Math.max(0, dueAt(fill.time) - performance.now()))
    const reason = await told(world, { signal, strategy }, messageOf(fill, tickerOf(kind)))
    await until("end of the order", () => !isTrading(world, strategy), OUTCOME_MS, 5)
    gauge.compare(fill, reason, positionOf(world, strategy, kind))
  }
  return { name, steps: fills.length, ...gauge.result }
}

const tickerOf = (kind: MarketKind) => (kind === "swap" ? "BTCUSDT.P" : "BTCUSDT")

const Step = Schema.parseJson(Schema.Struct({ amount_step: Schema.Number }))
const stepOf = async (kind: MarketKind): Promise<number> => {
  const { stdout } = await command(["market", "show", "bybit", "BTC/USDT", "--kind", kind, "--json"])
  return Schema.decodeUnknownSync(Step)(stdout).amount_step
}

const Outcomes = Schema.Struct({
  outcomes: Schema.Array(Schema.Struct({ strategy_id: Schema.Int, reason: Schema.String }))
})

/** Sends a message through the webhook, and waits for its outcome. */
const told = async (
  world: World,
  { signal, strategy }: { readonly signal: number; readonly strategy: number },
  message: object
): Promise<string> => {
  const sent = await world.server.fetch(`/v1/signals/charting?key=${world.key}&signal_id=${signal}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(message)
  })
  await sent.arrayBuffer()
  if (sent.status !== 200) return `answered ${sent.status}`
  const path = sent.headers.get("location") ?? ""
  let reason: string | undefined
  const isTold = async () => {
    const answer = await world.fetch(path)
    const { outcomes } = Schema.decodeUnknownSync(Outcomes)(await answer.json())
    reason = outcomes.find(({ strategy_id }) => strategy_id === strategy)?.reason
    return reason !== undefined
  }
  await until("outcome", isTold, OUTCOME_MS, 5)
  return reason ?? ""
}

const StateRow = Schema.Struct({ state: Schema.parseJson(BotState) })

const slotsOf = (world: World, strategy: number) => {
  const [bot] = world.rows((rows) =>
    rows.all(StateRow, `SELECT state FROM bots WHERE strategy_id = ${strategy}`)
  )
  return Object.values(bot?.state.slots ?? {})
}

/** Whether an order is under way: an outcome is stored before the order's fill is. */
const isTrading = (world: World, strategy: number): boolean =>
  slotsOf(world, strategy).some(({ order }) => order !== undefined)

/** The signed quantity that the bot holds. */
const positionOf = (world: World, strategy: number, kind: MarketKind): number => {
  const position = slotsOf(world, strategy).find((slot) => slot.kind === kind)?.position
  if (position === undefined) return 0
  return Decimal.toNumber(position.quantity) * (position.side === "long" ? 1 : -1)
}
