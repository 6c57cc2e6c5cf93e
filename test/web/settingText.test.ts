// Values of settings as text, in the difference between a copy and its original.
import { expect, test } from "bun:test"
import { settingText } from "../../src/web/page/strategies/settingText.ts"

test.each([
  ["stop_loss_percentage", 3, "3 %"],
  ["dca_maxretries", 2, "at most 2"],
  ["stop_loss", true, "on"],
  ["stop_loss", false, "off"],
  ["sell_minprofitpercent", null, "none"],
  ["on_opposite", "reverse", "close it and open the other side"],
  ["name", "<b>x</b>", "<b>x</b>"],
  ["take_profit_steps", [{ profit_percent: 2, close_percent: 40 }], "40 % at 2 %"],
  [
    "exchanges",
    [
      { exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] },
      { exchange_name: "okx", coin_pairs: ["BTC/USDT"] }
    ],
    "binance BTC/USDT, ETH/USDT; okx BTC/USDT"
  ],
  ["exchanges", null, "none"]
] as const)("%s of %j is %j", (name, value, text) => expect(settingText(name, value)).toBe(text))
