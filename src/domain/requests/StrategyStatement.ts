// What a strategy's settings mean together, in sentences. Pure and without schemas, so that the form shows it while the
// settings are typed, and `strategy show` prints it.
import type { Settings } from "../Strategy.ts"
import type { StrategyDraft } from "./StrategyDraft.ts"

type Numbers =
  | "buy_percentage"
  | "risk_percent"
  | "trailing_buy_percentage"
  | "max_entries"
  | "dca_percentagetrigger"
  | "dca_ordersize"
  | "dca_maxretries"
  | "dca_aftertime"
  | "sell_minprofitpercent"
  | "break_even_after"
  | "trailing_sell_arm"
  | "trailing_sell_percentage"
  | "stop_loss_percentage"
  | "auto_close_position_value"
  | "balance_take_profit_trigger"
  | "balance_take_profit_cooldown"
  | "balance_stop_loss_trigger"
  | "balance_stop_loss_cooldown"
type Switches =
  | "strategy_trailing_buy_switch"
  | "strategy_dca_switch"
  | "signal_ignores_sell_min_profit_percent"
  | "trailing_sell"
  | "stop_loss"
  | "auto_close_position_enabled"
  | "balance_take_profit"
  | "balance_stop_loss"

/** The settings that the statement is about, by the names of requests. What is missing or no number is shown as "…". */
export type Stated = Partial<Pick<StrategyDraft, Numbers | Switches | "on_opposite" | "take_profit_steps">>

/** The statement: how it enters, how a position ends, and what ends all of them. */
export const statementOf = (settings: Stated): ReadonlyArray<string> =>
  [...entering(settings), exits(settings), closingAlerts(settings), ...balanceRules(settings)].map(sentence)

const entering = (settings: Stated): ReadonlyArray<string> => {
  const { buy_percentage: buys, max_entries: most } = settings
  if (buys === 0) return ["never buys, because the buy percentage is 0"]
  return [
    `${sized(settings)}${started(settings)}`,
    ...(isNumber(most) && most > 1
      ? [`further entry alerts add to an open position, each sized alike, up to ${most} entries by alert`]
      : []),
    ...opposite(settings),
    ...averaging(settings)
  ]
}

const sized = ({ buy_percentage: buys, risk_percent: risk, stop_loss }: Stated): string => {
  if (!isNumber(risk)) return `buys for ${percent(buys)} of the equity`
  const without = stop_loss === true ? "" : "; an entry alert without a stop (sl) is ignored"
  return `buys as much as loses ${percent(risk)} of the equity at its stop, for at most ${percent(buys)} of the equity${without}`
}

const started = ({ strategy_trailing_buy_switch: waits, trailing_buy_percentage: turn }: Stated): string =>
  waits === true
    ? `, once the price is ${percent(turn)} above its lowest since the entry alert`
    : " with an entry alert"

const opposite = ({ on_opposite: what }: Stated): ReadonlyArray<string> => {
  if (what === "close") return ["an entry alert for the other side of a perpetual closes the position"]
  return what === "reverse"
    ? ["an entry alert for the other side of a perpetual closes the position and opens one of that side"]
    : []
}

const averaging = (settings: Stated): ReadonlyArray<string> => {
  if (settings.strategy_dca_switch !== true) return []
  const { dca_aftertime: wait } = settings
  const apart = wait === 0 ? "" : `, at least ${duration(wait)} apart`
  const times = settings.dca_maxretries === 1 ? "once" : `up to ${figure(settings.dca_maxretries)} times`
  return [
    `buys more for ${percent(settings.dca_ordersize)} of what the position cost when the price is ${percent(settings.dca_percentagetrigger)} under the average, ${times}${apart}`
  ]
}

const exits = (settings: Stated): string =>
  [...profits(settings), ...breakEven(settings), ...losses(settings)].join("; ")

/** What takes a profit: steps, the trail, or the minimum profit. */
const profits = (settings: Stated): ReadonlyArray<string> => {
  const { sell_minprofitpercent: least, trailing_sell_arm: arm, trailing_sell_percentage: trail } = settings
  const steps = settings.take_profit_steps ?? []
  const what = steps.length === 0 ? "everything" : "what is left"
  const atLeast = isNumber(least) ? `, if that makes ${percent(least)} profit` : ""
  if (settings.trailing_sell === true)
    return [
      ...stepped(steps),
      `from ${percent(arm)} profit on sells ${what} when the price falls ${percent(trail)} from its peak${atLeast}`
    ]
  if (steps.length > 0) return stepped(steps)
  return isNumber(least) ? [`sells everything at ${percent(least)} profit`] : ["takes no profit by itself"]
}

type Steps = NonNullable<Stated["take_profit_steps"]>

const stepped = (steps: Steps): ReadonlyArray<string> => {
  if (steps.length === 0) return []
  const total = sumOf(steps.map(({ close_percent }) => close_percent))
  const parts = steps.map(({ close_percent, profit_percent }, index) => {
    const isLast = total === 100 && index === steps.length - 1
    const part = isLast ? (index === 0 ? "everything" : "the rest") : percent(close_percent)
    return `${part} at ${percent(profit_percent)}`
  })
  const rest = total < 100 ? [`the other ${percent(sumOf([100, -total]))} wait for another exit`] : []
  return [`sells ${listed(parts)} profit`, ...rest]
}

const breakEven = ({ break_even_after: after, take_profit_steps: steps }: Stated): ReadonlyArray<string> => {
  if (!isNumber(after)) return []
  const what = (steps ?? []).length === 0 ? "target of an alert's ladder (tps)" : "step"
  return [`after the ${ORDINALS[after] ?? `${figure(after)}th`} ${what} the stop moves to break even`]
}

const ORDINALS: Readonly<Record<number, string>> = { 1: "first", 2: "second", 3: "third" }

const losses = (settings: Stated): ReadonlyArray<string> => [
  settings.stop_loss === true
    ? `cuts losses ${percent(settings.stop_loss_percentage)} under the average`
    : "has no stop loss",
  ...(settings.auto_close_position_enabled === true
    ? [`closes after ${duration(settings.auto_close_position_value)}, whatever that makes`]
    : [])
]

const closingAlerts = (settings: Stated): string => {
  const { sell_minprofitpercent: least } = settings
  return isNumber(least) && settings.signal_ignores_sell_min_profit_percent !== true
    ? `closing alerts close from ${percent(least)} profit on`
    : "closing alerts close at any profit or loss"
}

const balanceRules = (settings: Stated): ReadonlyArray<string> => [
  ...(settings.balance_take_profit === true
    ? [
        `closes everything when the equity has risen ${percent(settings.balance_take_profit_trigger)}${resting(settings.balance_take_profit_cooldown)}`
      ]
    : []),
  ...(settings.balance_stop_loss === true
    ? [
        `closes everything when the equity has fallen ${percent(settings.balance_stop_loss_trigger)}${resting(settings.balance_stop_loss_cooldown)}`
      ]
    : [])
]

const resting = (minutes: number | null | undefined): string =>
  minutes === 0 ? "" : `, and buys nothing for ${duration(minutes)} after that`

/** The sum of percentages as people write them: 33.3 three times is 99.9. */
export const sumOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + Math.round(value * PLACES), 0) / PLACES
/** Twelve decimal places: sums up to a hundred percent are exact within a double. */
const PLACES = 1e12

const isNumber = (value: number | null | undefined): value is number =>
  typeof value === "number" && Number.isFinite(value)
const figure = (value: number | null | undefined): string => (isNumber(value) ? String(value) : "…")
const percent = (value: number | null | undefined): string => `${figure(value)} %`

/** A duration in its largest units: 90 minutes are "1 h 30 min". */
const duration = (minutes: number | null | undefined): string => {
  if (!isNumber(minutes)) return "… min"
  const days = Math.floor(minutes / 1440)
  const hours = Math.floor((minutes % 1440) / 60)
  const units = [`${days} d`, `${hours} h`, `${minutes % 60} min`].filter((text) => !text.startsWith("0 "))
  return units.length === 0 ? "0 min" : units.join(" ")
}

const listed = (parts: ReadonlyArray<string>): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** What a statement says of stored settings. */
export const statedOf = (settings: Settings): Stated => {
  const { autoClose, balanceStopLoss, balanceTakeProfit, dca, stopLoss, trailingBuy, trailingSell } = settings
  return {
    buy_percentage: settings.buyPercent,
    risk_percent: settings.riskPercent ?? null,
    strategy_trailing_buy_switch: trailingBuy !== undefined,
    trailing_buy_percentage: trailingBuy?.percent ?? null,
    max_entries: settings.maxEntries ?? null,
    on_opposite: settings.onOpposite ?? null,
    strategy_dca_switch: dca !== undefined,
    dca_percentagetrigger: dca?.triggerPercent ?? null,
    dca_ordersize: dca?.orderSizePercent ?? null,
    dca_maxretries: dca?.maxRetries ?? null,
    dca_aftertime: dca?.waitMinutes ?? null,
    sell_minprofitpercent: settings.minProfitPercent ?? null,
    signal_ignores_sell_min_profit_percent: settings.signalIgnoresMinProfit,
    take_profit_steps: (settings.takeProfitSteps ?? []).map((step) => ({
      profit_percent: step.profitPercent,
      close_percent: step.closePercent
    })),
    break_even_after: settings.breakEvenAfter ?? null,
    trailing_sell: trailingSell !== undefined,
    trailing_sell_arm: trailingSell?.armPercent ?? null,
    trailing_sell_percentage: trailingSell?.percent ?? null,
    stop_loss: stopLoss !== undefined,
    stop_loss_percentage: stopLoss?.percent ?? null,
    auto_close_position_enabled: autoClose !== undefined,
    auto_close_position_value: autoClose?.minutes ?? null,
    balance_take_profit: balanceTakeProfit !== undefined,
    balance_take_profit_trigger: balanceTakeProfit?.triggerPercent ?? null,
    balance_take_profit_cooldown: balanceTakeProfit?.cooldownMinutes ?? null,
    balance_stop_loss: balanceStopLoss !== undefined,
    balance_stop_loss_trigger: balanceStopLoss?.triggerPercent ?? null,
    balance_stop_loss_cooldown: balanceStopLoss?.cooldownMinutes ?? null
  }
}
