// The settings of a new strategy.
import type { Form } from "./form.ts"

/** The form before anything is typed: it lacks a name and a pair. */
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
