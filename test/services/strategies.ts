import { Schema } from "effect"
import { type Settings, Settings as SettingsSchema } from "../../src/domain/Strategy.ts"

/** Settings of a strategy that says little; `changes` in the encoded form. */
export const settings = (changes: Partial<typeof SettingsSchema.Encoded> = {}): Settings =>
  Schema.decodeSync(SettingsSchema)({
    name: "Swing",
    description: "",
    active: true,
    public: false,
    quote: "USDT",
    defaultExchange: "binance",
    buyPercent: 10,
    signalIgnoresMinProfit: false,
    exchanges: [{ exchange: "binance", pairs: ["BTC/USDT", "ETH/USDT"] }],
    ...changes
  })
