// A strategy as a file: whatever is stored comes back from its file and from the API's answer, and a patch of the
// differences makes one strategy the other.
import { expect, test } from "bun:test"
import { Either, FastCheck, Option } from "effect"
import * as Catalogue from "../../src/domain/catalogue/Catalogue.ts"
import * as Decimal from "../../src/domain/Decimal.ts"
import { asRequest, differences, fileOf, patchOf } from "../../src/domain/requests/StrategyFile.ts"
import { parseBody, read, view } from "../../src/domain/requests/StrategyRequest.ts"
import { unknownFields } from "../../src/domain/requests/UnknownFields.ts"
import type { Settings } from "../../src/domain/Strategy.ts"
import { strategy } from "../../src/testing/Fixtures.ts"
import { STRATEGY } from "../lib/strategy.ts"

const percent = FastCheck.double({ min: 0.01, max: 99, noNaN: true })
const minutes = FastCheck.integer({ min: 1, max: 525_600 })
const bodies = FastCheck.record(
  {
    maker_fee: FastCheck.double({ min: 0, max: 10, noNaN: true }),
    taker_fee: FastCheck.constantFrom(0.1, 0.2),
    strategy_trailing_buy_switch: FastCheck.boolean(),
    strategy_dca_switch: FastCheck.boolean(),
    sell_minprofitpercent: percent,
    trailing_sell: FastCheck.boolean(),
    stop_loss: FastCheck.boolean(),
    balance_take_profit: FastCheck.boolean(),
    auto_close_position_enabled: FastCheck.boolean(),
    max_entries: FastCheck.integer({ min: 1, max: 50 }),
    on_opposite: FastCheck.constantFrom("ignore", "close", "reverse"),
    signal_id: FastCheck.integer({ min: 1, max: 9 }),
    signal_ignores_sell_min_profit_percent: FastCheck.boolean(),
    take_profit_steps: FastCheck.constant([{ profit_percent: 1, close_percent: 50 }]),
    exchanges: FastCheck.constantFrom(
      [{ exchange_name: "kraken", coin_pairs: ["BTC/USD"] }],
      [
        { exchange_name: "binance", coin_pairs: ["ETH/USDT", "BTC/USDT"] },
        { exchange_name: "okx", coin_pairs: ["ETH/USDT"] }
      ]
    )
  },
  { requiredKeys: [] }
)
const values = FastCheck.record({
  trailing_buy_percentage: percent,
  dca_aftertime: minutes,
  dca_maxretries: FastCheck.integer({ min: 1, max: 200 }),
  dca_percentagetrigger: percent,
  dca_ordersize: percent,
  trailing_sell_arm: percent,
  trailing_sell_percentage: percent,
  stop_loss_percentage: percent,
  balance_take_profit_trigger: percent,
  balance_take_profit_cooldown: minutes,
  auto_close_position_value: minutes
})
const settingsOf = (body: object): Settings => {
  const read = parseBody(body)
  if (Either.isLeft(read)) throw new Error(JSON.stringify(read.left))
  return read.right.settings
}
const { maker_fee: _, taker_fee: __, ...PLAIN } = STRATEGY
const anySettings = FastCheck.tuple(bodies, values).map(([body, held]) =>
  settingsOf({ ...PLAIN, ...held, ...body })
)

const feesOf = ({ defaultExchange }: Settings) => {
  const { makerFeePercent, takerFeePercent } = Catalogue.exchange(defaultExchange)
  return {
    makerFeePercent: Decimal.toNumber(makerFeePercent),
    takerFeePercent: Decimal.toNumber(takerFeePercent)
  }
}

test("any settings come back from their file, which has no field that a strategy lacks", () => {
  FastCheck.assert(
    FastCheck.property(anySettings, (settings) => {
      const file = JSON.parse(JSON.stringify(fileOf(settings)))
      expect(settingsOf(file)).toEqual(settings)
      expect(asRequest(file, Catalogue.exchange)).toEqual(file)
      expect(unknownFields(file)).toEqual([])
    })
  )
})

test("any settings come back from the API's answer, without the exchange's fees that it shows", () => {
  const performance = {
    summary: {
      period: { start: "2026-01-01", end: "2026-01-02", timezone: "UTC" as const },
      ...{ starting_equity: 1, ending_equity: 1, net_pnl: 0, roi_pct: 0, max_drawdown_pct: 0 },
      ...{ win_rate_pct: 0, profit_factor: 0, trade_count: 0, avg_trade: 0, avg_hold_time_min: 0 },
      ...{ best_trade: 0, worst_trade: 0, fees_paid: 0, volatility_pct: 0 }
    }
  }
  FastCheck.assert(
    FastCheck.property(anySettings, (settings) => {
      const answer = view(strategy({ settings }), feesOf(settings), performance)
      const body = asRequest(JSON.parse(JSON.stringify(answer)), Catalogue.exchange)
      expect(unknownFields(body)).toEqual([])
      // A fee of its own that equals the exchange's cannot be told from none.
      const { makerFeePercent, takerFeePercent } = feesOf(settings)
      const { makerFeePercent: maker, takerFeePercent: taker, ...rest } = settings
      expect(settingsOf(body)).toEqual({
        ...rest,
        ...(maker === undefined || maker === makerFeePercent ? {} : { makerFeePercent: maker }),
        ...(taker === undefined || taker === takerFeePercent ? {} : { takerFeePercent: taker })
      })
    })
  )
})

test("a patch of the differences makes one strategy the other, and none is left", () => {
  FastCheck.assert(
    FastCheck.property(anySettings, anySettings, (from, to) => {
      const { settings, violations } = read(patchOf(differences(from, to)), Option.some(from))
      expect([violations, Option.getOrNull(settings)]).toEqual([[], to])
      expect(differences(to, to)).toEqual([])
    })
  )
})

test("a field under both of its names is not guessed at", () => {
  const both = asRequest({ ...PLAIN, stop_loss: true, stop_loss_enabled: false }, Catalogue.exchange)
  expect(read(both, Option.none()).violations).toContainEqual({
    field: "stop_loss",
    text: "send this setting as stop_loss, not as stop_loss_enabled"
  })
})
