// Candles downloaded from a stub of an exchange by the compiled program, then rules over them: the alerts are the same
// from the stored days, from their folder and from one file, and a sweep is the same with any number of threads.
import { join } from "node:path"
import { HOLE, KlineGateway } from "../../exchanges/KlineGateway.ts"
import { STRATEGY } from "../../lib/strategy.ts"
import { rowAt } from "../../prices/meanExchange.ts"
import { command, inFolder } from "../Program.ts"
import type { Row } from "../suite.ts"
import { Tally } from "../Tally.ts"

const MINUTE = 60_000
const [FROM, UNTIL] = [Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 5)]

const RULE = {
  markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
  timeframe: "15m",
  params: { fast: 3, slow: 8 },
  on: [
    { type: "buy", when: "crossover(ema(close, fast), ema(close, slow))", sl: "close - 200" },
    { type: "sell", when: "crossunder(ema(close, fast), ema(close, slow))" }
  ],
  schedule: [{ type: "buy", cron: "30 4 * * *", timezone: "Europe/Berlin" }]
}
const GRID = { "params.fast": [2, 3, 4], "params.slow": [8, 13], stop_loss_percentage: [1, 4] }

/** The row of the table. */
export const downloadedCandles = (): Promise<Row> =>
  inFolder(async (folder) => {
    const tally = new Tally()
    const gateway = await KlineGateway.start()
    const file = (name: string) => join(folder, name)
    // Candles are files wherever the rows are: beside that of the database, also where that is one of Postgres.
    const surroundings = { env: { SIGNALBOX_DB: file("signalbox.db") } }
    const run = async (...args: ReadonlyArray<string>): Promise<string> => {
      const { exitCode, stderr, stdout } = await command(args, surroundings)
      if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}: ${stderr}`)
      return stdout
    }
    try {
      await Promise.all([
        Bun.write(file("rule.json"), JSON.stringify(RULE)),
        Bun.write(
          file("strategy.json"),
          JSON.stringify({ ...STRATEGY, stop_loss: true, stop_loss_percentage: 2 })
        ),
        Bun.write(file("grid.json"), JSON.stringify(GRID)),
        Bun.write(file("one.csv"), oneFile())
      ])
      const days = ["--from", "2026-06-01", "--to", "2026-06-04"]
      const urls = ["--exchange-urls", `binance=${gateway.url}`]
      await run("candles", "download", "binance", "BTC/USDT", ...days, ...urls)

      const usual = ["--strategy", file("strategy.json"), "--rule", file("rule.json")]
      const sources = [
        "BTC/USDT",
        `BTC/USDT=${file("candles/binance/BTC-USDT-spot")}`,
        `BTC/USDT=${file("one.csv")}`
      ]
      const [stored, ...others] = await Promise.all(
        sources.map(async (source) => {
          const out = await run("backtest", ...usual, "--candles", source, "--list-alerts", "--json")
          const { performance, rule } = JSON.parse(out)
          return { performance, rule }
        })
      )
      const raised = Number(stored?.rule?.alerts?.length)
      tally.check(raised > 10, () => `${raised} alerts were raised: too few to compare`)
      for (const [index, other] of others.entries())
        tally.check(Bun.deepEquals(other, stored), () => `${sources[index + 1]} gives other alerts or trades`)

      const sweep = (workers: number) =>
        run(
          "sweep",
          ...usual,
          "--candles",
          "BTC/USDT",
          "--grid",
          file("grid.json"),
          "--json",
          ...["--workers", `${workers}`]
        )
      const [one, three] = await Promise.all([sweep(1), sweep(3)])
      tally.check(one === three, () => "a sweep with three threads gives other rows than with one")
      tally.check(JSON.parse(one).ran === 12, () => `the sweep tried ${JSON.parse(one).ran} of 12`)
      return tally.row("rules: downloaded candles, in days and in one file", `${raised} alerts`)
    } finally {
      await gateway.stop()
    }
  })

/** The candles of all days in one file. */
const oneFile = (): string => {
  const rows: Array<string> = []
  for (let at = FROM; at < UNTIL; at += MINUTE)
    if (at < HOLE[0] || at >= HOLE[1]) rows.push(rowAt(at, MINUTE).join(","))
  return rows.join("\n")
}
