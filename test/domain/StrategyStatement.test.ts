// The statement of a strategy: its settings together, in sentences.
import { describe, expect, test } from "bun:test"
import * as Either from "effect/Either"
import { parseBody } from "../../src/domain/requests/StrategyRequest.ts"
import { type Stated, statedOf, statementOf, sumOf } from "../../src/domain/requests/StrategyStatement.ts"

const steps = (...pairs: ReadonlyArray<readonly [close: number, profit: number]>) =>
  pairs.map(([close_percent, profit_percent]) => ({ close_percent, profit_percent }))
const says = (settings: Stated) => statementOf(settings).join(" ")
const plain: Stated = {
  buy_percentage: 10,
  sell_minprofitpercent: 3,
  stop_loss: true,
  stop_loss_percentage: 5
}

describe("the statement of a strategy", () => {
  test("says of plain settings how they buy, take a profit and cut losses", () =>
    expect(statementOf(plain)).toEqual([
      "Buys for 10 % of the equity with an entry alert.",
      "Sells everything at 3 % profit; cuts losses 5 % under the average.",
      "Closing alerts close from 3 % profit on."
    ]))

  test("says of steps that the last one sells the rest, and when the stop moves", () =>
    expect(
      statementOf({
        ...plain,
        sell_minprofitpercent: null,
        take_profit_steps: steps([40, 2], [30, 4], [30, 8]),
        break_even_after: 1
      })
    ).toEqual([
      "Buys for 10 % of the equity with an entry alert.",
      "Sells 40 % at 2 %, 30 % at 4 % and the rest at 8 % profit; after the first step the stop moves to break even; cuts losses 5 % under the average.",
      "Closing alerts close at any profit or loss."
    ]))

  test("says what steps leave, and what sells it", () => {
    const part = { ...plain, take_profit_steps: steps([40, 2], [30.5, 4]) }
    expect(says(part)).toContain(
      "Sells 40 % at 2 % and 30.5 % at 4 % profit; the other 29.5 % wait for another exit; cuts losses"
    )
    expect(
      says({ ...part, trailing_sell: true, trailing_sell_arm: 5, trailing_sell_percentage: 1 })
    ).toContain(
      "from 5 % profit on sells what is left when the price falls 1 % from its peak, if that makes 3 % profit;"
    )
  })

  test("a single step of all, and percents whose sum is 100 only as decimals, leave nothing", () => {
    expect(says({ ...plain, take_profit_steps: steps([100, 2]) })).toContain(
      "Sells everything at 2 % profit;"
    )
    const thirds = steps([33.3, 1], [33.3, 2], [33.4, 3])
    expect(says({ ...plain, take_profit_steps: thirds })).toContain("and the rest at 3 % profit;")
    expect(sumOf([0.1, 0.2])).toBe(0.3)
    expect(sumOf([33.3, 33.3, 33.3])).toBe(99.9)
  })

  test("break even without steps waits for the ladder of an alert", () =>
    expect(says({ ...plain, break_even_after: 2 })).toContain(
      "after the second target of an alert's ladder (tps) the stop moves to break even"
    ))

  test("says how a risk sizes an entry, and that it needs a stop", () => {
    expect(says({ ...plain, risk_percent: 1 })).toContain(
      "Buys as much as loses 1 % of the equity at its stop, for at most 10 % of the equity with an entry alert."
    )
    expect(says({ ...plain, risk_percent: 1, stop_loss: false })).toContain(
      "; an entry alert without a stop (sl) is ignored"
    )
  })

  test("says what further entry alerts and those for the other side do", () => {
    expect(says({ ...plain, max_entries: 3 })).toContain(
      "Further entry alerts add to an open position, each sized alike, up to 3 entries by alert."
    )
    expect(says({ ...plain, max_entries: 1 })).not.toContain("urther entry alerts")
    expect(says({ ...plain, on_opposite: "close" })).toContain(
      "An entry alert for the other side of a perpetual closes the position."
    )
    expect(says({ ...plain, on_opposite: "reverse" })).toContain(
      "closes the position and opens one of that side."
    )
    expect(says({ ...plain, on_opposite: "ignore" })).not.toContain("other side")
  })

  test("says everything else that is on, with waits in the largest units", () =>
    expect(
      statementOf({
        ...plain,
        ...{ strategy_trailing_buy_switch: true, trailing_buy_percentage: 1, strategy_dca_switch: true },
        ...{ dca_percentagetrigger: 3, dca_ordersize: 100, dca_maxretries: 2, dca_aftertime: 90 },
        ...{ auto_close_position_enabled: true, auto_close_position_value: 1500 },
        ...{ balance_take_profit: true, balance_take_profit_trigger: 10, balance_take_profit_cooldown: 0 },
        ...{ balance_stop_loss: true, balance_stop_loss_trigger: 15, balance_stop_loss_cooldown: 1440 },
        signal_ignores_sell_min_profit_percent: true
      })
    ).toEqual([
      "Buys for 10 % of the equity, once the price is 1 % above its lowest since the entry alert.",
      "Buys more for 100 % of what the position cost when the price is 3 % under the average, up to 2 times, at least 1 h 30 min apart.",
      "Sells everything at 3 % profit; cuts losses 5 % under the average; closes after 1 d 1 h, whatever that makes.",
      "Closing alerts close at any profit or loss.",
      "Closes everything when the equity has risen 10 %.",
      "Closes everything when the equity has fallen 15 %, and buys nothing for 1 d after that."
    ]))

  test("shows a gap for what is not typed yet, never NaN or undefined", () => {
    const gaps = says({
      ...{ buy_percentage: Number.NaN, stop_loss: true, trailing_sell: true, balance_stop_loss: true },
      ...{ strategy_dca_switch: true, auto_close_position_enabled: true },
      take_profit_steps: steps([Number.NaN, Number.NaN])
    })
    expect(gaps).toContain("Buys for … % of the equity")
    expect(gaps).toContain("Sells … % at … % profit")
    expect(gaps).not.toMatch(/NaN|undefined|null/)
  })

  test("settings that buy nothing and end nothing say so", () =>
    expect(statementOf({ buy_percentage: 0 })).toEqual([
      "Never buys, because the buy percentage is 0.",
      "Takes no profit by itself; has no stop loss.",
      "Closing alerts close at any profit or loss."
    ]))

  test("says the same of settings once they are stored", () => {
    const draft = {
      ...plain,
      ...{ risk_percent: 1, max_entries: 3, break_even_after: 1 },
      on_opposite: "reverse",
      take_profit_steps: steps([40, 2], [60, 4]),
      ...{ strategy_dca_switch: true, dca_percentagetrigger: 3, dca_ordersize: 100, dca_maxretries: 2 },
      ...{ dca_aftertime: 0, balance_stop_loss: true, balance_stop_loss_trigger: 15 },
      ...{ balance_stop_loss_cooldown: 60, strategy_trailing_buy_switch: true, trailing_buy_percentage: 1 },
      ...{ trailing_sell: true, trailing_sell_arm: 5, trailing_sell_percentage: 1 },
      ...{ auto_close_position_enabled: true, auto_close_position_value: 60 }
    } as const
    const request = parseBody({
      ...draft,
      ...{ name: "A", description: "", active: true, public: false, default_quote_currency: "USDT" },
      default_exchange_name: "binance",
      exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
    })
    if (Either.isLeft(request)) throw new Error(JSON.stringify(request.left))
    expect(statementOf(statedOf(request.right.settings))).toEqual(statementOf(draft))
  })
})
