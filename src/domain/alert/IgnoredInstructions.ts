// Warns of instructions in an alert that are ignored here (sizes, order types, leverage), by known names only, so that
// nobody relies on them.
import * as Arr from "effect/Array"
import { isOrderKind } from "./AlertAct.ts"
import { EXTRA_NAMES } from "./AlertExtras.ts"
import { endsWith, type Found, type Names } from "./AlertNames.ts"

const list = (names: string): ReadonlyArray<string> => names.split(" ")

/** Names that are an instruction wherever they occur; the longest first if one ends with another. */
const ANYWHERE = [
  ...list(
    "order_quantity order_amount order_size order_qty order_contracts order_volume order_price order_type"
  ),
  ...list("order_price_offset quote_order_qty amount_per_trade amount_type position_size"),
  ...list("stake_amount usd_amount base_amount quote_amount lot_size quantity qty contracts"),
  ...list("leverage lever margin_mode margin_type risk_percent risk_percentage balance_percent"),
  ...list("ord_type price_type pricetype time_in_force post_only limit_price entry_price"),
  ...list("investment_type trailing_stop trailing_profit trailing_percent delay_seconds max_lag"),
  ...list("order_percent size_percent qty_percent equity_percent account_percent exit_percent vol_percent"),
  ...list("percent_of_equity percent_of_balance qty_pct size_pct exit_pct balance_pct risk_pct"),
  ...list("qty_type size_type quantity_type per_trade_type leverage_type leverage_factor hedge_mode"),
  ...list(
    "order_size_usd notional_value vol_lots vol_dollar vol_pct_bal trail_price trail_percent trail_amount"
  ),
  ...list(
    "trailing_activation callback_rate price_offset max_positions extra_percent dca_orders safety_orders"
  ),
  ...list("good_till cancel_all cancel_orders close_all conditional_orders break_even"),
  ...EXTRA_NAMES
]

const OURS: ReadonlySet<string> = new Set(EXTRA_NAMES)

const lastOf = (name: string): string => name.slice(name.lastIndexOf("_") + 1)
/** The same names by their last word. */
const BY_LAST: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  Object.entries(Arr.groupBy(ANYWHERE, lastOf))
)

/** Keys that are an instruction by themselves, but inside another name mean something else. */
const KEYS = new Set([
  ...list(
    "size amount volume price margin lot lots units notional funds cost percent percentage risk offset"
  ),
  ...list("slippage tif sz px hedge pyramiding dca trailing delay q lev usd usdt dollars cash capital stake"),
  ...list("invest investment cancel timeout expiry expires iceberg twap chase breakeven")
])
/** Prefixes of names that are no instruction: targets are handled elsewhere, candles and indicators are data. */
const OTHERS = /(?:^|_)(?:tp|sl|stop|take|targets?|bar|candle|kline|ohlcv?|indicators?)(?:_|\d|$)/

/** Exceptions: names that end like an instruction. */
const EXCEPT = /(?:^|_)(?:market_position_size|prev(?:ious)?_position_size)$/
/** Beside these fields a volume belongs to a candle. */
const CANDLE = list("open high low close")

/** The most characters of the names in one warning. */
const MAX_LETTERS = 120

/**
 * Adds a warning for each ignored instruction. Only known names appear, which bounds their number; values never do.
 * `isSizeRead`: a `position_size` was read as what the chart holds.
 *
 * @internal
 */
export const warn = (names: Names, warnings: Array<string>, isSizeRead: boolean): void => {
  const found = new Set<string>()
  for (const field of names.all) {
    const name = isEmpty(field.value) ? undefined : instructionOf(field)
    if (name !== undefined && !(name === "volume" && isCandle(names))) found.add(name)
  }
  if (isSizeRead) found.delete("position_size")
  const texts: Array<string> = []
  for (const name of found) {
    const last = texts.at(-1)
    if (last === undefined || last.length + name.length > MAX_LETTERS) texts.push(name)
    else texts[texts.length - 1] = `${last}, ${name}`
  }
  for (const text of texts) warnings.push(`ignored: ${text} (the strategy's own settings decide)`)
}

const isCandle = ({ all }: Names): boolean => all.some(({ key }) => CANDLE.includes(key))

/** Values that ask for nothing. */
const EMPTY = /^(?:false|0(?:\.0*)?|none|null|na|nan)?$/i
const isEmpty = (value: unknown): boolean =>
  value === false || value === 0 || (typeof value === "string" && EMPTY.test(value.trim()))

const instructionOf = ({ key, name: path, value }: Found): string | undefined => {
  // These are read, and the steps of a ladder with it.
  if (OURS.has(path) || path.startsWith("tps_")) return undefined
  if (path === "type") return isOrderKind(value) ? "type" : undefined
  if (path.endsWith("position_size") && EXCEPT.test(path)) return undefined
  const last = BY_LAST.get(lastOf(path))
  const anywhere = last?.find((name) => endsWith(path, name))
  return anywhere ?? (KEYS.has(key) && !OTHERS.test(path) ? key : undefined)
}
