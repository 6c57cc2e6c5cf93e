// Warns while typing of settings that can never act together. The server warns of the same
// (trading/backtest/Warnings.ts, which the page cannot import); test/web/form.test.ts compares the two.
import { numberOf } from "../parts/reader/number.ts"
import type { FieldName } from "./fields.ts"
import { type Form, isOn, textOf } from "./form.ts"
import { totalOf } from "./steps.ts"

export interface Contradiction {
  readonly code: string
  readonly text: string
  /** The setting to correct first. */
  readonly field: FieldName
}

/** `takerFee` is the exchange's fee in percent, used if the form has none. */
export const contradictions = (form: Form, takerFee?: number): ReadonlyArray<Contradiction> => {
  const value = (name: FieldName): number => {
    const number = numberOf(textOf(form, name))
    return number === undefined || !Number.isFinite(number) ? Number.NaN : number
  }
  const found: Array<Contradiction> = []
  const add = (code: string, field: FieldName, text: string) => found.push({ code, field, text })
  const buys = value("buy_percentage")

  if (isOn(form, "strategy_dca_switch")) {
    const fall = value("dca_percentagetrigger")
    const stop = value("stop_loss_percentage")
    if (isOn(form, "stop_loss") && fall >= stop)
      add(
        "dca_beyond_stop_loss",
        "dca_percentagetrigger",
        `DCA waits for ${fall} % against the average, but the stop loss closes at ${stop} %`
      )
    const wait = value("dca_aftertime")
    const held = value("auto_close_position_value")
    if (isOn(form, "auto_close_position_enabled") && wait >= held)
      add(
        "dca_after_auto_close",
        "dca_aftertime",
        `DCA waits ${wait} minutes, but positions are closed after ${held}`
      )
  }
  if (isOn(form, "trailing_sell") && textOf(form, "sell_minprofitpercent").trim() === "") {
    const [arm, trail] = [value("trailing_sell_arm"), value("trailing_sell_percentage")]
    if (trail > arm)
      add(
        "trail_wider_than_arm",
        "trailing_sell_percentage",
        `the trailing sell arms at ${arm} % profit and trails by ${trail} %: it can close at a loss`
      )
  }
  const fee = Number.isNaN(value("taker_fee")) ? takerFee : value("taker_fee")
  const least = value("balance_stop_loss_trigger")
  if (isOn(form, "balance_stop_loss") && fee !== undefined && buys > 0 && least <= 2 * fee * (buys / 100))
    add(
      "balance_stop_within_fees",
      "balance_stop_loss_trigger",
      `the balance stop loss fires at ${least} %, which the fees of one entry use up`
    )
  found.push(...ofSteps(form, value))
  if (buys === 0) add("never_buys", "buy_percentage", "the buy percentage is 0: nothing will be bought")
  const quote = textOf(form, "default_quote_currency")
  const others = form.exchanges
    .flatMap(({ coin_pairs }) => coin_pairs)
    .filter((it) => it.split("/")[1] !== quote)
  if (others.length > 0)
    add(
      "pair_never_trades",
      "exchanges",
      `${others.length} pairs are not quoted in ${quote}: their alerts are ignored`
    )
  return found
}

/** Steps beside settings that they leave without effect. */
const ofSteps = (form: Form, value: (name: FieldName) => number): ReadonlyArray<Contradiction> => {
  const { steps } = form
  if (steps.length === 0) return []
  const found: Array<Contradiction> = []
  const profit = value("sell_minprofitpercent")
  const isGate = !isOn(form, "signal_ignores_sell_min_profit_percent") || isOn(form, "trailing_sell")
  if (!Number.isNaN(profit) && !isGate)
    found.push({
      code: "min_profit_unused",
      field: "sell_minprofitpercent",
      text: `the minimum profit of ${profit} % is not used: the steps take profit in its place, and closing alerts ignore it`
    })
  const after = value("break_even_after")
  if (totalOf(steps) === 100 && after === steps.length)
    found.push({
      code: "break_even_after_all",
      field: "break_even_after",
      text: `the stop moves to break even after ${after} steps, but the last of them closes all that is left: it moves only for targets of alerts`
    })
  return found
}
