// Templates of strategies to start from, each with a part of a recorded day that shows what it does. The dashboard's
// gallery, `signalbox example` and the sample charts all read this one list.
import type { AlertType } from "../Alert.ts"
import type { StrategyDraft } from "./StrategyDraft.ts"

/** What a template leaves to its user: names, markets, fees, the signal, and whether it trades. */
type Own =
  | "name"
  | "description"
  | "active"
  | "public"
  | "default_quote_currency"
  | "default_exchange_name"
  | "exchanges"
  | "signal_id"
  | "maker_fee"
  | "taker_fee"

/** The settings of a template, by the field names of requests; a setting that is missing is unset. */
export type TemplateSettings = Omit<StrategyDraft, Own>

/** A recorded day of one-minute candles that the program ships. */
export interface RecordedDay {
  readonly exchange: "bybit" | "coinbase"
  readonly pair: "BTC/USDT" | "ETH/USD"
  readonly quote: "USDT" | "USD"
  /** A day in UTC, like `2022-12-13`. */
  readonly day: string
  /** Percent, in place of the exchange's own, so that templates compare. */
  readonly feePercent: number
}

/** The days by name. */
export const RECORDED_DAYS = {
  rise: { exchange: "bybit", pair: "BTC/USDT", quote: "USDT", day: "2022-12-13", feePercent: 0.1 },
  fall: { exchange: "coinbase", pair: "ETH/USD", quote: "USD", day: "2017-09-04", feePercent: 0.1 }
} as const satisfies Readonly<Record<string, RecordedDay>>

/** A part of a recorded day, and the alerts that a signal sends in it. Times are like `09:30`, in UTC. */
export interface TemplateSample {
  readonly recorded: keyof typeof RECORDED_DAYS
  readonly from: string
  readonly to: string
  readonly alerts: ReadonlyArray<readonly [time: string, type: AlertType]>
}

/** The names by which templates are chosen. */
export const TEMPLATE_KEYS = ["trend", "dip", "dca", "scalping", "steps"] as const
/** One of these names. */
export type TemplateKey = (typeof TEMPLATE_KEYS)[number]

/** A way to trade. */
export interface StrategyTemplate {
  readonly title: string
  /** What it does, in one sentence. */
  readonly about: string
  readonly settings: TemplateSettings
  readonly sample: TemplateSample
}

/** The templates by their names. */
export const TEMPLATES: Readonly<Record<TemplateKey, StrategyTemplate>> = {
  trend: {
    title: "Trend",
    about:
      "Enters when the signal sees a trend, follows the price up, and sells once it falls back or the signal says so.",
    settings: {
      buy_percentage: 20,
      trailing_sell: true,
      trailing_sell_arm: 2,
      trailing_sell_percentage: 1,
      stop_loss: true,
      stop_loss_percentage: 3
    },
    sample: {
      recorded: "rise",
      from: "07:00",
      to: "18:00",
      alerts: [
        ["07:57", "buy"],
        ["16:37", "buy"],
        ["17:01", "sell"]
      ]
    }
  },
  dip: {
    title: "Dip buying",
    about: "Waits after an alert until a falling price turns, buys near its low, and sells the rebound.",
    settings: {
      buy_percentage: 20,
      strategy_trailing_buy_switch: true,
      trailing_buy_percentage: 2,
      sell_minprofitpercent: 3,
      stop_loss: true,
      stop_loss_percentage: 5
    },
    sample: { recorded: "fall", from: "13:30", to: "17:00", alerts: [["14:15", "buy"]] }
  },
  dca: {
    title: "Averaging down (DCA)",
    about: "Starts small, buys more at each fall of 3 %, up to four times, and sells all at a small profit.",
    settings: {
      buy_percentage: 5,
      sell_minprofitpercent: 1.5,
      strategy_dca_switch: true,
      dca_percentagetrigger: 3,
      dca_ordersize: 100,
      dca_maxretries: 4,
      dca_aftertime: 15,
      balance_stop_loss: true,
      balance_stop_loss_trigger: 15,
      balance_stop_loss_cooldown: 1440
    },
    sample: { recorded: "fall", from: "13:00", to: "17:00", alerts: [["13:30", "buy"]] }
  },
  scalping: {
    title: "Scalping",
    about:
      "Takes small profits quickly, cuts losses just as early, and holds no position for more than two hours.",
    settings: {
      buy_percentage: 20,
      sell_minprofitpercent: 0.6,
      stop_loss: true,
      stop_loss_percentage: 1,
      auto_close_position_enabled: true,
      auto_close_position_value: 120
    },
    sample: {
      recorded: "fall",
      from: "15:30",
      to: "19:00",
      alerts: [
        ["16:00", "buy"],
        ["17:35", "buy"],
        ["18:26", "buy"]
      ]
    }
  },
  steps: {
    title: "Profit in steps",
    about:
      "Sells a winning position in three parts, and after the first part moves its stop to where nothing is lost.",
    settings: {
      buy_percentage: 20,
      take_profit_steps: [
        { profit_percent: 1.5, close_percent: 40 },
        { profit_percent: 3, close_percent: 30 },
        { profit_percent: 6, close_percent: 30 }
      ],
      break_even_after: 1,
      stop_loss: true,
      stop_loss_percentage: 3
    },
    sample: {
      recorded: "fall",
      from: "15:30",
      to: "20:30",
      alerts: [
        ["16:00", "buy"],
        ["18:26", "buy"]
      ]
    }
  }
}

/** The name of a template; undefined for any other text. */
export const templateKey = (text: string | undefined): TemplateKey | undefined =>
  TEMPLATE_KEYS.find((key) => key === text)

/** The moment (ms since the epoch) of a time like `09:30` on a sample's day. */
export const momentOf = ({ recorded }: TemplateSample, time: string): number =>
  Date.parse(`${RECORDED_DAYS[recorded].day}T${time}:00Z`)

/** The alerts of a template's sample, as a line of a file has them; `time` in ms. */
export const alertsOf = ({ sample }: StrategyTemplate) => {
  const [coin, quote_currency] = RECORDED_DAYS[sample.recorded].pair.split("/")
  return sample.alerts.map(([time, type]) => ({ time: momentOf(sample, time), coin, quote_currency, type }))
}

/** The strategy that trades a template's sample. */
export const sampleDraft = (key: TemplateKey): StrategyDraft => {
  const { about, sample, settings, title } = TEMPLATES[key]
  const { exchange, feePercent, pair, quote } = RECORDED_DAYS[sample.recorded]
  return {
    name: title,
    description: about,
    active: true,
    public: false,
    default_quote_currency: quote,
    default_exchange_name: exchange,
    exchanges: [{ exchange_name: exchange, coin_pairs: [pair] }],
    maker_fee: feePercent,
    taker_fee: feePercent,
    ...settings
  }
}
