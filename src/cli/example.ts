// `signalbox example`: writes a strategy, candles, alerts and a grid, so that `backtest` and `sweep` can be tried at
// once.
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Columns } from "../domain/candles/CandleFile.ts"
import { crossings } from "./demo/Crossing.ts"
import * as Recorded from "./demo/Recorded.ts"
import { FAST, SLOW } from "./demo/Script.ts"
import { taker } from "./demo/Strategies.ts"
import { json } from "./program/shared.ts"

const directory = Args.text({ name: "dir" }).pipe(
  Args.withDescription("folder to write to; created if missing")
)

const force = Options.boolean("force").pipe(Options.withDescription("replace existing files"))

class NotWritten extends Data.TaggedError("NotWritten")<{ readonly message: string }> {}

export const CANDLES = "bybit_BTCUSDT_1m_2022-12-13.csv.gz"

/** The grid of settings that `sweep` tries. */
const GRID = {
  sell_minprofitpercent: { from: 0.2, to: 2, step: 0.2 },
  stop_loss_percentage: [0.3, 0.5, 1, 2]
}

export const example = Command.make("example", { directory, force, json }, ({ directory, force, json }) =>
  Effect.gen(function* () {
    const { columns } = yield* Effect.promise(Recorded.recording)
    const candles = yield* Effect.promise(Recorded.bytes)
    const { signal_id: _, ...strategy } = taker(1)
    const files = [
      ["strategy.json", `${JSON.stringify(strategy, undefined, 2)}\n`],
      [CANDLES, candles],
      ["alerts.jsonl", alerts(columns)],
      ["grid.json", `${JSON.stringify(GRID, undefined, 2)}\n`]
    ] as const
    const there = files.map(([name]) => join(directory, name)).find((path) => existsSync(path))
    if (there !== undefined && !force)
      return yield* new NotWritten({ message: `${there} already exists: --force replaces it` })
    yield* Effect.try({
      try: () => {
        mkdirSync(directory, { recursive: true })
        for (const [name, content] of files) writeFileSync(join(directory, name), content)
      },
      catch: (cause) =>
        new NotWritten({
          message: `cannot write to ${directory}: ${cause instanceof Error ? cause.message : cause}`
        })
    })
    if (json) {
      return yield* Console.log(JSON.stringify({ folder: directory, files: files.map(([name]) => name) }))
    }
    yield* Console.log(
      [
        `Written to ${directory}: strategy.json, alerts.jsonl, grid.json and ${CANDLES}`,
        `(${Recorded.SOURCE}).`,
        "Try them:",
        "",
        `  signalbox backtest --strategy ${directory}/strategy.json \\`,
        `    --candles BTC/USDT=${directory}/${CANDLES} --alerts ${directory}/alerts.jsonl`,
        `  signalbox sweep --strategy ${directory}/strategy.json --grid ${directory}/grid.json \\`,
        `    --candles BTC/USDT=${directory}/${CANDLES} --alerts ${directory}/alerts.jsonl`
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription(
    "write a strategy, candles, alerts and a grid to try the back-test and the sweep with"
  )
)

const alerts = (columns: Columns): string =>
  crossings(columns, FAST, SLOW)
    .map(({ direction, row }) => ({
      time: columns.at[row],
      coin: "BTC",
      quote_currency: "USDT",
      type: direction === "up" ? "buy" : "sell"
    }))
    .map((alert) => `${JSON.stringify(alert)}\n`)
    .join("")
