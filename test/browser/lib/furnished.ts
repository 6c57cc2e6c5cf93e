// A server with signals, strategies, trades and alerts.
import { command } from "../../reliability/Program.ts"
import { must, until } from "../../reliability/prices/until.ts"
import { example, recorded } from "./replay.ts"
import type { Site, Stage } from "./Stage.ts"

/** A server on recorded prices with a record of each kind. */
export interface Furnished extends Site {
  readonly signal: number
  /** A strategy with an open position and completed trades. */
  readonly strategy: number
}

/** The speed of the replay. */
const SPEED = 240
/** The replay starts before a strong move at half past one, so that a position soon closes with a profit. */
const FROM = Date.UTC(2022, 11, 13, 13, 26)

export const furnished = async (stage: Stage): Promise<Furnished> => {
  const { minutes } = await example(stage.folder)
  const prices = recorded(
    stage.folder,
    minutes.filter(([at]) => at >= FROM)
  )
  const args = [
    "--prices",
    `replay:${prices}`,
    "--replay-speed",
    `${SPEED}`,
    "--crud-rate",
    "0",
    "--alert-rate",
    "0"
  ]
  const site = await stage.serve(args, "furnished")
  const signal = await site.owner.signal("Averages crossing")
  const exchanges = [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }]
  const common = { default_exchange_name: "bybit", exchanges }
  const strategy = await site.owner.strategy(signal, [], {
    ...common,
    name: "Take profit, cut losses",
    description: "Sells at 0.2 % profit or 3 % under the average",
    buy_percentage: 30,
    sell_minprofitpercent: 0.2,
    stop_loss: true,
    stop_loss_percentage: 3
  })
  await site.owner.strategy(signal, [], { ...common, name: "Second", active: false })
  await alert(site, signal)
  await traded(site, strategy, 1)
  // The next position stays open.
  await site.served.fetch(`/v1/strategies/${strategy}`, {
    method: "PUT",
    headers: { ...site.owner.headers, "content-type": "application/json" },
    body: JSON.stringify({ sell_minprofitpercent: 20 })
  })
  await alert(site, signal)
  await site.served.fetch("/v1/signals/alert", {
    method: "POST",
    headers: site.owner.headers,
    body: "nonsense"
  })
  const add = ["notify", "add", "webhook", "https://203.0.113.1/hook", "--account", "ann", "--db", site.db]
  await command(add)
  return { ...site, signal, strategy }
}

/** Sends an alert that buys bitcoin. */
export const alert = async (site: Site, signal: number, type = "buy"): Promise<void> => {
  const body = new URLSearchParams({ signal_id: `${signal}`, coin: "BTC", quote_currency: "USDT", type })
  const answer = await site.served.fetch("/v1/signals/alert", {
    method: "POST",
    headers: site.owner.headers,
    body
  })
  must(answer.ok, `the alert was answered ${answer.status}: ${await answer.text()}`)
}

/** Waits until a strategy has completed so many trades. */
export const traded = (site: Site, strategy: number, count: number): Promise<number> =>
  until(
    `trade of strategy ${strategy}`,
    async () => {
      const answer = await fetch(`${site.base}/v1/strategies/${strategy}`, { headers: site.owner.headers })
      const {
        performance
      }: { readonly performance: { readonly summary: { readonly trade_count: number } } } = JSON.parse(
        await answer.text()
      )
      return performance.summary.trade_count >= count
    },
    20_000
  )
