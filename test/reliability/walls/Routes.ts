// Every operation of the server's description, with the parts of a valid request to it.
import type { Line } from "../Wire.ts"
import { textOf } from "../Wire.ts"

export type Noun = "signal" | "strategy" | "alert" | "notification" | "exchange_account"

/** How to request an operation. An operation without a recipe fails the suites. */
export interface Recipe {
  /** The record that the operation names, and the place of its id. */
  readonly names?: { readonly noun: Noun; readonly at: "path" | "body" }
  /** A valid body; `id` is the record that it names, if any. */
  readonly body?: (id: unknown) => Readonly<Record<string, unknown>>
  /** The required query. */
  readonly query?: string
  /** Whether a public record of another account may be named. */
  readonly publicToo?: boolean
  /** Whether its answer names others' public records that own ones follow. */
  readonly showsPublic?: boolean
  /** Whether a token for alerts reaches it. */
  readonly alerts?: boolean
  /** Whether the token is in the address. */
  readonly keyed?: boolean
  /** Whether it is refused for an own record too, in other words, because there is no exchange or no position. */
  readonly turnsDown?: boolean
  /** Whether an own record that is private is answered like a missing one. */
  readonly unlisted?: boolean
  /** Whether it is tested elsewhere: it is endless, slow, ends the caller's token, or changes the server. */
  readonly apart?: boolean
}

const signal = { name: "A signal", description: "of mine", active: true, public: false }
export const strategy = {
  name: "A strategy",
  description: "of mine",
  active: true,
  public: false,
  default_quote_currency: "USDT",
  default_exchange_name: "binance",
  buy_percentage: 10,
  exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT"] }]
}
/** All settings of a strategy. */
export const richStrategy = {
  ...strategy,
  maker_fee: 0.1,
  taker_fee: 0.1,
  strategy_trailing_buy_switch: true,
  trailing_buy_percentage: 1,
  strategy_dca_switch: true,
  dca_aftertime: 60,
  dca_maxretries: 3,
  dca_percentagetrigger: 2,
  dca_ordersize: 100,
  sell_minprofitpercent: 1,
  trailing_sell: true,
  trailing_sell_arm: 2,
  trailing_sell_percentage: 0.5,
  stop_loss: true,
  stop_loss_percentage: 10,
  balance_take_profit: true,
  balance_take_profit_trigger: 20,
  balance_take_profit_cooldown: 60,
  balance_stop_loss: true,
  balance_stop_loss_trigger: 20,
  balance_stop_loss_cooldown: 60,
  auto_close_position_enabled: true,
  auto_close_position_value: 600,
  signal_ignores_sell_min_profit_percent: false
}
/** A notification at a port that nobody listens on, for events that do not happen here. */
export const notification = { kind: "webhook", url: "http://127.0.0.1:9/", events: ["storage"] }
const market = { exchange: "binance", pair: "BTC/USDT", kind: "spot" }
const alert = (id: unknown) => ({ signal_id: id, coin: "BTC", quote_currency: "USDT", type: "buy" })

const recipes: Readonly<Record<string, Recipe>> = {
  "GET /v1/signals": {},
  "POST /v1/signals": { body: () => signal },
  "GET /v1/signals/{id}": { names: { noun: "signal", at: "path" }, publicToo: true },
  "GET /v1/signals/{id}/template": { names: { noun: "signal", at: "path" } },
  "PUT /v1/signals/{id}": { names: { noun: "signal", at: "path" }, body: () => ({ name: "Another name" }) },
  "DELETE /v1/signals/{id}": { names: { noun: "signal", at: "path" } },
  "POST /v1/signals/charting": {
    names: { noun: "signal", at: "body" },
    body: alert,
    alerts: true,
    keyed: true
  },
  "POST /v1/signals/alert": { names: { noun: "signal", at: "body" }, body: alert, alerts: true },
  "POST /v1/alerts/parse": { names: { noun: "signal", at: "body" }, body: alert, alerts: true },
  "GET /v1/strategies": {},
  "POST /v1/strategies": {
    names: { noun: "signal", at: "body" },
    body: (id) => ({ ...strategy, signal_id: id }),
    publicToo: true
  },
  "GET /v1/strategies/{id}": { names: { noun: "strategy", at: "path" }, publicToo: true },
  "PUT /v1/strategies/{id}": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ name: "Another name", active: false })
  },
  "DELETE /v1/strategies/{id}": { names: { noun: "strategy", at: "path" } },
  "POST /v1/strategies/{id}/copy": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ name: "A copy", description: "of mine" }),
    publicToo: true
  },
  "GET /v1/strategies/{id}/origin": { names: { noun: "strategy", at: "path" }, turnsDown: true },
  "POST /v1/strategies/{id}/sync": { names: { noun: "strategy", at: "path" }, turnsDown: true },
  "GET /v1/public/strategies": { showsPublic: true },
  "GET /v1/public/signals": { showsPublic: true },
  "GET /v1/public/strategies/{id}": {
    names: { noun: "strategy", at: "path" },
    publicToo: true,
    unlisted: true
  },
  "GET /v1/public/signals/{id}": { names: { noun: "signal", at: "path" }, publicToo: true, unlisted: true },
  "GET /v1/strategies/{id}/timeline": { names: { noun: "strategy", at: "path" } },
  "GET /v1/alerts": {},
  "GET /v1/alerts/{id}": { names: { noun: "alert", at: "path" } },
  "GET /v1/events": { apart: true },
  "GET /v1/notifications": {},
  "POST /v1/notifications": { body: () => notification },
  "DELETE /v1/notifications/{id}": { names: { noun: "notification", at: "path" } },
  "POST /v1/notifications/{id}/test": { names: { noun: "notification", at: "path" } },
  "POST /v1/notifications/{id}/pair": { names: { noun: "notification", at: "path" }, turnsDown: true },
  "GET /v1/chats": {},
  // Only a message from Telegram pairs a chat: the contract suite of chats tries those of others.
  "DELETE /v1/chats/{id}": { apart: true },
  "GET /v1/tokens": {},
  "POST /v1/tokens": { body: () => ({ scope: "alerts", expires_days: 1 }) },
  "DELETE /v1/tokens/{id}": { apart: true },
  "POST /v1/dashboard/session": { apart: true },
  "GET /v1/dashboard/session": { apart: true },
  "DELETE /v1/dashboard/session": { apart: true },
  "GET /v1/dashboard/exchanges": {},
  "GET /v1/dashboard/markets": {},
  "PUT /v1/dashboard/exchange": { apart: true },
  "PUT /v1/dashboard/market": { apart: true },
  "GET /v1/dashboard/markets/refreshes": { apart: true },
  "POST /v1/dashboard/markets/refreshes": { apart: true },
  // Its answers are the same for everybody, and only the operator may write.
  "GET /v1/dashboard/candles": {},
  "GET /v1/dashboard/candles/download": { apart: true },
  "POST /v1/dashboard/candles/download": { apart: true },
  "DELETE /v1/dashboard/candles/download": { apart: true },
  "POST /v1/dashboard/candles/remove": { apart: true },
  "GET /v1/dashboard/overview": { showsPublic: true },
  "GET /v1/dashboard/strategies": { showsPublic: true },
  "GET /v1/dashboard/strategies/{id}": {
    names: { noun: "strategy", at: "path" },
    publicToo: true,
    showsPublic: true
  },
  "GET /v1/dashboard/strategies/{id}/equity": { names: { noun: "strategy", at: "path" } },
  "GET /v1/dashboard/strategies/{id}/figures": { names: { noun: "strategy", at: "path" } },
  "GET /v1/dashboard/strategies/{id}/chart": {
    names: { noun: "strategy", at: "path" },
    query: "?exchange=binance&pair=BTC/USDT"
  },
  "GET /v1/dashboard/strategies/{id}/trades": { names: { noun: "strategy", at: "path" } },
  "GET /v1/dashboard/strategies/{id}/trades.csv": { names: { noun: "strategy", at: "path" } },
  "GET /v1/dashboard/strategies/{id}/comparison": { names: { noun: "strategy", at: "path" } },
  "POST /v1/dashboard/strategies/{id}/what-if": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ changes: { buy_percentage: 20 } })
  },
  "GET /v1/dashboard/strategies/{id}/timeline": { names: { noun: "strategy", at: "path" } },
  "GET /v1/dashboard/trades": {},
  "GET /v1/dashboard/trades.csv": {},
  "GET /v1/dashboard/signals": {},
  "GET /v1/dashboard/signals/{id}": { names: { noun: "signal", at: "path" }, publicToo: true },
  "GET /v1/dashboard/signals/{id}/template": { names: { noun: "signal", at: "path" } },
  "GET /v1/dashboard/tokens": {},
  "GET /v1/dashboard/notifications": {},
  "GET /v1/dashboard/alerts": {},
  "GET /v1/dashboard/refusals": {},
  "GET /v1/dashboard/recordings": {},
  "GET /v1/exchange-accounts": {},
  "POST /v1/exchange-accounts/{id}/check": { names: { noun: "exchange_account", at: "path" } },
  "DELETE /v1/exchange-accounts/{id}": { names: { noun: "exchange_account", at: "path" } },
  "GET /v1/strategies/{id}/arming": { names: { noun: "strategy", at: "path" } },
  "POST /v1/strategies/{id}/arming": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ account: 1, capital: 100, max_order: 10, max_daily_loss: 5 }),
    turnsDown: true
  },
  "DELETE /v1/strategies/{id}/arming": { names: { noun: "strategy", at: "path" }, turnsDown: true },
  "POST /v1/strategies/{id}/positions/close": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ ...market, percent: 50 }),
    turnsDown: true
  },
  "POST /v1/strategies/{id}/positions/cancel": {
    names: { noun: "strategy", at: "path" },
    body: () => market,
    turnsDown: true
  },
  "POST /v1/strategies/{id}/positions/targets": {
    names: { noun: "strategy", at: "path" },
    body: () => ({ ...market, sl: 1 }),
    turnsDown: true
  },
  "GET /v1/strategies/{id}/orders": { names: { noun: "strategy", at: "path" } },
  "GET /v1/halt": {},
  "POST /v1/halt": {},
  "DELETE /v1/halt": {},
  "POST /v1/dashboard/backtests": { apart: true },
  "GET /v1/dashboard/signals/{id}/rule": { names: { noun: "signal", at: "path" }, turnsDown: true },
  "POST /v1/dashboard/rule": {
    body: () => ({ timeframe: "1h", expressions: [{ text: "close > open", type: "boolean" }] })
  },
  "POST /v1/dashboard/backup": { apart: true }
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly recipe: Recipe
}

export interface Described {
  readonly operations: ReadonlyArray<Operation>
  /** Operations without a recipe, and recipes without an operation. */
  readonly uncovered: ReadonlyArray<string>
}

const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"])

/** Reads the description that the running program serves. */
export const described = async (line: Line): Promise<Described> => {
  const reply = await line.ask({ method: "GET", target: "/openapi.json" })
  const { paths }: { readonly paths: Readonly<Record<string, object>> } = JSON.parse(
    reply === undefined ? "{}" : textOf(reply)
  )
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => METHODS.has(method))
      .map((method) => `${method.toUpperCase()} ${path}`)
  )
  const uncovered = [
    ...names.filter((name) => recipes[name] === undefined),
    ...Object.keys(recipes).filter((name) => !names.includes(name))
  ]
  const operations = names.flatMap((name) => {
    const [method = "", path = ""] = name.split(" ")
    const recipe = recipes[name]
    return recipe === undefined || recipe.apart === true ? [] : [{ method, path, recipe }]
  })
  return { operations, uncovered }
}
