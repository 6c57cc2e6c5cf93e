// What `signalbox example` writes: a strategy, the day that it trades, the alerts of that day or a rule that raises them, and
// a grid to sweep.

import { Pair } from "../../domain/Market.ts"
import {
  alertsOf,
  sampleDraft,
  TEMPLATES,
  type TemplateKey,
  type TemplateSample
} from "../../domain/requests/StrategyTemplates.ts"
import type { RuleDocument } from "../../domain/signalRule/RuleDocument.ts"
import { crossings } from "../demo/Crossing.ts"
import * as Recorded from "../demo/Recorded.ts"
import { FAST, SLOW } from "../demo/Script.ts"
import { taker } from "../demo/Strategies.ts"

/** A grid as its file has it: the values of each setting, by the field names of requests. */
type GridFile = Readonly<
  Record<
    string,
    ReadonlyArray<number> | { readonly from: number; readonly to: number; readonly step: number }
  >
>

/** What raises the alerts of an example: the lines of a file, or a rule. */
export type Raising = { readonly alerts: ReadonlyArray<object> } | { readonly rule: RuleDocument }

/** An example: `grid` has what `sweep` tries. */
export interface Example {
  readonly strategy: object
  readonly recorded: TemplateSample["recorded"]
  readonly raising: Raising
  readonly grid: GridFile
}

/** A template with the day and the alerts of its sample chart. */
export const ofTemplate = (key: TemplateKey): Example => ({
  strategy: sampleDraft(key),
  recorded: TEMPLATES[key].sample.recorded,
  raising: { alerts: alertsOf(TEMPLATES[key]) },
  grid: GRIDS[key]
})

/** A strategy of the demo, with an alert wherever two averages of the demo's day cross. */
export const ofDemo = async (): Promise<Example> => {
  const { columns } = await Recorded.recording()
  const { signal_id: _, ...strategy } = taker(1)
  const alerts = crossings(columns, FAST, SLOW).map(({ direction, row }) => ({
    time: columns.at[row],
    coin: "BTC",
    quote_currency: "USDT",
    type: direction === "up" ? "buy" : "sell"
  }))
  return { strategy, recorded: "rise", raising: { alerts }, grid: PROFIT_AND_LOSS }
}

/** A strategy that trades by a rule of its own, with nothing from outside. */
export const ofRule: Example = {
  strategy: {
    name: "By its own rule",
    description: "Buys half of the balance when the averages cross upwards, sells when they cross back",
    active: true,
    public: false,
    default_quote_currency: "USDT",
    default_exchange_name: "bybit",
    buy_percentage: 50,
    exchanges: [{ exchange_name: "bybit", coin_pairs: ["BTC/USDT"] }]
  },
  recorded: "rise",
  raising: {
    rule: {
      markets: [{ exchange: "bybit", kind: "spot", pairs: [Pair.make("BTC/USDT")] }],
      timeframe: "5m",
      params: { fast: 6, slow: 24 },
      on: [
        {
          type: "buy",
          when: 'crossover(sma(close, fast), sma(close, slow)) and close > request("30m", close)',
          sl: "lowest(low, 24)"
        },
        { type: "sell", when: "crossunder(sma(close, fast), sma(close, slow))" }
      ]
    }
  },
  grid: {
    "params.fast": { from: 4, to: 12, step: 2 },
    "params.slow": [18, 24, 36, 48],
    buy_percentage: [25, 50]
  }
}

const PROFIT_AND_LOSS: GridFile = {
  sell_minprofitpercent: { from: 0.2, to: 2, step: 0.2 },
  stop_loss_percentage: [0.3, 0.5, 1, 2]
}

const GRIDS: Readonly<Record<TemplateKey, GridFile>> = {
  trend: {
    trailing_sell_arm: { from: 1, to: 4, step: 0.5 },
    trailing_sell_percentage: { from: 0.5, to: 2, step: 0.5 }
  },
  dip: {
    trailing_buy_percentage: { from: 0.5, to: 4, step: 0.5 },
    sell_minprofitpercent: { from: 1, to: 5, step: 1 }
  },
  dca: { dca_percentagetrigger: { from: 1, to: 5, step: 0.5 }, sell_minprofitpercent: [0.5, 1, 1.5, 2, 3] },
  scalping: PROFIT_AND_LOSS,
  steps: { stop_loss_percentage: { from: 1, to: 5, step: 0.5 }, break_even_after: [1, 2, 3] }
}
