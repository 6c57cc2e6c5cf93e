// Blank settings, and examples to start from. An example leaves name, markets and signal as they are.
import type { FieldName } from "./fields.ts"
import { dependents, fieldOf } from "./fields.ts"
import type { Form } from "./form.ts"
import { GROUPS } from "./groups.ts"
import type { StepRow } from "./steps.ts"

/** The settings of a new strategy. */
export const BLANK: Form = {
  texts: {
    name: "",
    description: "",
    default_quote_currency: "USDT",
    default_exchange_name: "binance",
    signal_id: "",
    buy_percentage: "10",
    risk_percent: "",
    max_entries: "",
    on_opposite: "ignore",
    sell_minprofitpercent: "3",
    break_even_after: "",
    stop_loss_percentage: "5",
    maker_fee: "",
    taker_fee: ""
  },
  on: { active: true, public: false, stop_loss: true },
  exchanges: [{ exchange_name: "binance", coin_pairs: [] }],
  steps: []
}

/** An example of a way to trade. */
export interface Example {
  readonly title: string
  readonly explain: string
  readonly texts: Readonly<Partial<Record<FieldName, string>>>
  readonly on: ReadonlyArray<FieldName>
  readonly steps?: ReadonlyArray<StepRow>
}

export const EXAMPLES: ReadonlyArray<Example> = [
  {
    title: "Simple take profit",
    explain: "Buys on an alert, sells at 3 % profit, and cuts losses at 5 %.",
    texts: { buy_percentage: "10", sell_minprofitpercent: "3", stop_loss_percentage: "5" },
    on: ["stop_loss"]
  },
  {
    title: "Averaging down (DCA)",
    explain: "Starts small, buys more at each fall of 3 %, up to four times, and sells all at 1.5 % profit.",
    texts: {
      buy_percentage: "5",
      sell_minprofitpercent: "1.5",
      dca_percentagetrigger: "3",
      dca_ordersize: "100",
      dca_maxretries: "4",
      dca_aftertime: "15",
      balance_stop_loss_trigger: "15",
      balance_stop_loss_cooldown: "1440"
    },
    on: ["strategy_dca_switch", "balance_stop_loss"]
  },
  {
    title: "Trailing",
    explain: "Waits for the price to turn before it buys, and lets profits run until they fall back by 1 %.",
    texts: {
      buy_percentage: "10",
      sell_minprofitpercent: "1",
      trailing_buy_percentage: "0.5",
      trailing_sell_arm: "2.5",
      trailing_sell_percentage: "1",
      stop_loss_percentage: "4"
    },
    on: ["strategy_trailing_buy_switch", "trailing_sell", "stop_loss"]
  },
  {
    title: "Steps",
    explain:
      "Sells 40 % at 2 %, 30 % at 4 % and the rest at 8 % profit; after the first step it cannot lose any more.",
    texts: { buy_percentage: "10", break_even_after: "1", stop_loss_percentage: "4" },
    on: ["stop_loss"],
    steps: [
      { close_percent: "40", profit_percent: "2" },
      { close_percent: "30", profit_percent: "4" },
      { close_percent: "30", profit_percent: "8" }
    ]
  }
]

/** The settings that an example sets: entries, exits and balance rules. */
const DECIDED: ReadonlyArray<FieldName> = GROUPS.filter(({ title }) =>
  ["Entry", "Averaging (DCA)", "Exits", "Balance rules"].includes(title)
).flatMap(({ fields }) => fields.flatMap((name) => [name, ...dependents(name)]))

/** The form with an example's settings. */
export const startFrom = (form: Form, example: Example): Form => {
  const texts = { ...form.texts }
  const on = { ...form.on }
  for (const name of DECIDED) {
    if (fieldOf(name).kind === "switch") on[name] = example.on.includes(name)
    else if (name === "on_opposite") texts[name] = example.texts[name] ?? "ignore"
    else if (name !== "take_profit_steps") texts[name] = example.texts[name] ?? ""
  }
  return { ...form, texts, on, steps: example.steps ?? [] }
}
