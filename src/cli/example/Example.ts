// What `signalbox example` writes: a strategy, the day that it trades, the alerts of that day, and a grid to sweep.
import {
  alertsOf,
  sampleDraft,
  TEMPLATES,
  type TemplateKey,
  type TemplateSample
} from "../../domain/requests/StrategyTemplates.ts"
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

/** An example: `alerts` are the lines of its file, `grid` has the settings that `sweep` tries. */
export interface Example {
  readonly strategy: object
  readonly recorded: TemplateSample["recorded"]
  readonly alerts: ReadonlyArray<object>
  readonly grid: GridFile
}

/** A template with the day and the alerts of its sample chart. */
export const ofTemplate = (key: TemplateKey): Example => ({
  strategy: sampleDraft(key),
  recorded: TEMPLATES[key].sample.recorded,
  alerts: alertsOf(TEMPLATES[key]),
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
  return { strategy, recorded: "rise", alerts, grid: PROFIT_AND_LOSS }
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
