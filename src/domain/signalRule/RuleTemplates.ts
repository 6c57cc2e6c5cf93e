// Rules to begin with. Each is complete but for its markets.
import type { RuleDocument } from "./RuleDocument.ts"

/** A rule to begin with, and what it does in a sentence. */
export interface RuleTemplate {
  readonly name: string
  readonly title: string
  readonly about: string
  readonly rule: Omit<RuleDocument, "markets">
}

/** The templates, the simplest first. */
export const RULE_TEMPLATES: ReadonlyArray<RuleTemplate> = [
  {
    name: "crossing",
    title: "Moving averages crossing",
    about: "Buys where a fast average crosses above a slow one, and sells where it crosses below.",
    rule: {
      timeframe: "1h",
      params: { fast: 9, slow: 21 },
      on: [
        {
          type: "buy",
          when: "crossover(ema(close, fast), ema(close, slow))",
          sl: "close - 2 * atr(14)"
        },
        { type: "sell", when: "crossunder(ema(close, fast), ema(close, slow))" }
      ],
      schedule: []
    }
  },
  {
    name: "dip",
    title: "RSI dip",
    about: "Buys a dip within a rising trend, and sells when the price has recovered.",
    rule: {
      timeframe: "1h",
      params: { length: 14, low_level: 30, high_level: 65, trend: 200 },
      on: [
        {
          type: "buy",
          when: "crossunder(rsi(close, length), low_level) and close > sma(close, trend)",
          sl: "close - 3 * atr(14)"
        },
        { type: "sell", when: "crossover(rsi(close, length), high_level)" }
      ],
      schedule: []
    }
  },
  {
    name: "breakout",
    title: "Breakout",
    about:
      "Buys a close above the highest high of the candles before, with volume, and sells below the lowest low.",
    rule: {
      timeframe: "4h",
      params: { entry: 20, exit: 10 },
      on: [
        {
          type: "buy",
          when: "close > donchian(entry).upper[1] and volume > sma(volume, entry)",
          sl: "donchian(exit).lower"
        },
        { type: "sell", when: "close < donchian(exit).lower[1]" }
      ],
      schedule: []
    }
  },
  {
    name: "supertrend",
    title: "SuperTrend",
    about: "Buys where the supertrend turns up, with its line as the stop, and sells where it turns down.",
    rule: {
      timeframe: "4h",
      params: { factor: 3, length: 10 },
      on: [
        {
          type: "buy",
          when: "supertrend(factor, length).direction < 0",
          sl: "supertrend(factor, length).line"
        },
        { type: "sell", when: "supertrend(factor, length).direction > 0" }
      ],
      schedule: []
    }
  },
  {
    name: "bollinger",
    title: "Bollinger reversal",
    about: "Buys where the price comes back over the lower Bollinger band, and sells at the middle.",
    rule: {
      timeframe: "1h",
      params: { length: 20, width: 2 },
      on: [
        {
          type: "buy",
          when: "crossover(close, bb(close, length, width).lower)",
          tp: "bb(close, length, width).middle",
          sl: "lowest(low, 5) - 0.5 * atr(14)"
        },
        { type: "sell", when: "crossover(close, bb(close, length, width).middle)" }
      ],
      schedule: []
    }
  },
  {
    name: "weekly",
    title: "Weekly buy",
    about:
      "Buys every Monday at nine in the morning UTC, and once more where the daily RSI dips below a level.",
    rule: {
      timeframe: "1d",
      params: { length: 14, low_level: 30 },
      on: [{ type: "buy", when: "crossunder(rsi(close, length), low_level)" }],
      schedule: [{ type: "buy", cron: "0 9 * * 1", timezone: "UTC" }]
    }
  }
]
