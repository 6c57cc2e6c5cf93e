// Tables of alerts from each outcome's reason to the resulting position and trade.
import { scenario } from "./scenario.ts"

const LISTED = [{ exchange_name: "binance", coin_pairs: ["BTC/USDT", "ETH/USDT", "ETH/BTC"] }] as const

scenario(
  "a buy opens at the price, a sell closes, and the trade is recorded",
  { taker_fee: 0.1 },
  `
  quote 100
  buy            | opened
  holds          | BTC/USDT spot long 10 @ 100
  quote 110
  sell           | closed
  holds          | nothing
  trades         | long 10 @ 100 -> 110 signal x1`
)

scenario(
  "futures alerts act on the perpetual in both directions, apart from spot",
  {},
  `
  quote 100 swap
  quote 100
  close_long     | no_position
  close_short    | no_position
  short          | opened
  holds          | BTC/USDT swap short 10 @ 100
  short          | already_open
  long           | opposite_position
  close_long     | no_position
  buy            | opened
  sell           | closed
  quote 90 swap
  close_short    | closed
  trades         | short 10 @ 100 -> 90 signal x1
  long           | opened
  short          | opposite_position
  close_short    | no_position
  quote 80 swap
  close_long     | closed
  trades         | long 11.217 @ 90 -> 80 signal x1`
)

scenario(
  "an open position takes each new target from an alert",
  {},
  `
  quote 100
  buy tp=120          | opened
  buy                 | already_open
  buy tp=130 sl=90    | targets_updated
  buy sl=95           | targets_updated
  buy tp=99           | bad_target
  buy sl=100          | bad_target
  quote 130
  trades              | long 10 @ 100 -> 130 tp x1`
)

scenario(
  "an alert's stop loss closes the position",
  {},
  `
  quote 100
  buy sl=95           | opened
  quote 95.01
  holds               | BTC/USDT spot long 10 @ 100
  quote 95
  trades              | long 10 @ 100 -> 95 sl x1`
)

scenario(
  "targets on the wrong side of the price open nothing",
  {},
  `
  quote 100
  quote 100 swap
  buy tp=100          | bad_target
  buy sl=100          | bad_target
  short tp=101        | bad_target
  short sl=99         | bad_target
  holds               | nothing`
)

scenario(
  "the minimum profit holds closing alerts back, unless a target is set",
  { sell_minprofitpercent: 5, trailing_sell: true, trailing_sell_arm: 50, trailing_sell_percentage: 1 },
  `
  quote 100
  buy            | opened
  quote 104
  sell           | below_min_profit
  quote 106
  sell           | closed
  quote 100
  buy tp=200     | opened
  quote 101
  sell           | closed`
)

scenario(
  "a signal may ignore the minimum profit",
  { sell_minprofitpercent: 5, signal_ignores_sell_min_profit_percent: true },
  `
  quote 100
  buy            | opened
  sell           | closed
  trades         | long 10 @ 100 -> 100 signal x1`
)

scenario(
  "a pair that is not listed or not in the default currency is ignored",
  { exchanges: LISTED },
  `
  buy SOL/USDT   | pair_not_listed
  sell SOL/USDT  | pair_not_listed
  buy BTC/USD    | pair_not_listed
  buy ETH/BTC    | quote_not_default
  sell ETH/BTC   | quote_not_default
  sell eth       | no_position`
)

scenario(
  "an entry without a fresh price waits for ten seconds, and no longer",
  {},
  `
  buy            | waits
  wait 9900ms
  alert 1        | waits
  wait 100ms
  alert 1        | no_price
  quote 100
  holds          | nothing`
)

scenario(
  "a deadline that has passed holds even if another alert comes first",
  {},
  `
  buy            | waits
  wait 50ms
  buy eth        | waits
  wait 9950ms
  alert 1        | no_price
  wait 60ms
  buy            | waits
  wait 100ms
  alert 2        | no_price`
)

scenario(
  "an entry does not use an old price, and the next price still comes in time",
  {},
  `
  quote 100
  wait 10s
  buy            | opened
  wait 1ms
  buy eth        | waits
  long           | waits
  sell           | waits
  wait 2s
  quote 102
  alert 4        | closed
  alert 2        | waits
  quote 50 eth
  alert 2        | opened
  wait 9s
  alert 3        | no_price`
)

scenario(
  "an alert that waits for a price delays no alert of another pair or market",
  {},
  `
  buy            | waits
  quote 50 eth
  buy eth        | opened
  sell eth       | closed
  long           | waits
  close_short    | no_position
  alert 1        | waits
  quote 100
  alert 1        | opened
  alert 4        | waits`
)

scenario(
  "alerts that waited for a price are judged in sequence: the stop of the second holds",
  {},
  `
  buy                 | waits
  buy sl=95           | waits
  buy tp=130          | waits
  quote 100
  alert 1             | opened
  alert 2             | targets_updated
  alert 3             | targets_updated
  holds               | BTC/USDT spot long 10 @ 100
  quote 95
  trades              | long 10 @ 100 -> 95 sl x1`
)

scenario(
  "a closing alert waits behind a waiting entry, and closes what that has opened",
  {},
  `
  sell                | no_position
  buy                 | waits
  sell                | waits
  buy                 | waits
  quote 100
  alert 2             | opened
  alert 3             | closed
  alert 4             | opened`
)

scenario(
  "a closing alert behind a waiting entry finds nothing to close once the entry is given up",
  {},
  `
  buy                 | waits
  wait 4s
  sell                | waits
  wait 5900ms
  alert 2             | waits
  wait 100ms
  alert 1             | no_price
  alert 2             | no_position
  buy                 | waits
  sell                | waits
  set active=false
  alert 3             | strategy_inactive
  alert 4             | no_position`
)

scenario(
  "a trailing buy is not armed again by an entry from before the alert that cancelled it",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 },
  `
  quote 100
  buy                 | trailing_buy_armed
  wait 11s
  buy                 | waits
  sell                | waits
  quote 100
  alert 2             | pending_entry
  alert 3             | entry_cancelled
  holds               | nothing`
)

scenario(
  "an alert that waits for one market of a pair is judged with that market's price",
  { buy_percentage: 50 },
  `
  buy                 | waits
  long sl=90          | waits
  long                | waits
  buy sl=95           | waits
  quote 100
  alert 1             | opened
  alert 4             | targets_updated
  alert 2             | waits
  quote 100 swap
  alert 2             | opened
  alert 3             | already_open`
)

scenario(
  "a closing alert waits for its price without end, and closes what was open before it",
  {},
  `
  quote 100
  buy            | opened
  wait 11s
  sell           | waits
  wait 40s
  alert 2        | waits
  quote 120
  alert 2        | closed
  trades         | long 10 @ 100 -> 120 signal x1`
)

scenario(
  "a closing alert that waited does not close what was opened after it",
  { stop_loss: true, stop_loss_percentage: 5 },
  `
  quote 100
  buy            | opened
  wait 11s
  sell           | waits
  buy            | waits
  quote 90
  trades         | long 10 @ 100 -> 90 stop_loss x1
  alert 2        | no_position
  alert 3        | opened
  holds          | BTC/USDT spot long 10.99788 @ 90`
)

scenario(
  "a trailing buy is armed once, is cancelled by a closing alert, and buys when the price turns",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 },
  `
  quote 100
  buy            | trailing_buy_armed
  buy            | pending_entry
  sell           | entry_cancelled
  sell           | no_position
  buy            | trailing_buy_armed
  quote 90
  quote 91.79
  wait 1s
  holds          | BTC/USDT spot armed at 90
  quote 91.8
  holds          | BTC/USDT spot long 10.89324 @ 91.8`
)

scenario(
  "a trailing buy towards a short sells when the price turns",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 },
  `
  quote 100 swap
  short          | trailing_buy_armed
  long           | opposite_position
  close_long     | no_position
  quote 110 swap
  quote 107.8 swap
  holds          | BTC/USDT swap short 9.276 @ 107.8`
)

scenario(
  "deactivation cancels an armed trailing buy, and exits go on",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 },
  `
  quote 100
  quote 50 eth
  buy eth        | trailing_buy_armed
  quote 51 eth
  buy            | trailing_buy_armed
  set active=false
  holds          | ETH/USDT spot long 19.6078 @ 51
  notes entry_cancelled | 1
  buy            | strategy_inactive
  long           | strategy_inactive
  quote 90
  quote 99
  sell           | no_position
  sell eth       | closed`
)

scenario(
  "switching a trailing buy off or removing its pair cancels it",
  { strategy_trailing_buy_switch: true, trailing_buy_percentage: 2 },
  `
  quote 100
  buy            | trailing_buy_armed
  set strategy_trailing_buy_switch=false
  holds          | nothing
  set strategy_trailing_buy_switch=true trailing_buy_percentage=1
  buy            | trailing_buy_armed
  set exchanges=[{"exchange_name":"binance","coin_pairs":["ETH/USDT"]}]
  holds          | nothing
  buy            | pair_not_listed`
)

scenario(
  "a removed pair keeps its exits and closing alerts",
  { stop_loss: true, stop_loss_percentage: 5 },
  `
  quote 100
  quote 50 eth
  buy            | opened
  buy eth        | opened
  set exchanges=[{"exchange_name":"bybit","coin_pairs":["BTC/USDT"]}]
  buy eth        | pair_not_listed
  sell eth       | closed
  quote 95
  trades         | long 10 @ 100 -> 95 stop_loss x1`
)

scenario(
  "new settings act on open positions at once",
  {},
  `
  quote 100
  buy            | opened
  quote 96
  holds          | BTC/USDT spot long 10 @ 100
  set stop_loss=true stop_loss_percentage=3
  trades         | long 10 @ 100 -> 96 stop_loss x1
  buy            | opened
  quote 99
  set sell_minprofitpercent=2
  trades         | long 10.37295 @ 96 -> 99 take_profit x1`
)

scenario(
  "an entry is ignored if its size is zero or below the market's minimum",
  { buy_percentage: 0 },
  `
  quote 100
  quote 50 eth
  buy            | zero_buy_percentage
  set buy_percentage=0.01
  buy            | below_min_notional
  set buy_percentage=100
  buy            | opened
  buy eth        | below_min_notional
  sell           | closed`
)

scenario(
  "an entry without free cash is ignored",
  { buy_percentage: 100, taker_fee: 0 },
  `
  quote 100
  quote 50 eth
  buy            | opened
  buy eth        | insufficient_balance`
)

scenario(
  "a balance rule closes everything, and no entry is made until its cooldown is over",
  {
    buy_percentage: 50,
    taker_fee: 0,
    balance_stop_loss: true,
    balance_stop_loss_trigger: 5,
    balance_stop_loss_cooldown: 1
  },
  `
  quote 100
  quote 50 eth
  buy            | opened
  buy eth        | opened
  quote 90
  trades         | long 100 @ 50 -> 50 balance_stop_loss x1
  holds          | nothing
  buy            | cooldown
  sell           | no_position
  wait 59s
  quote 100
  buy            | cooldown
  wait 1s
  quote 100
  buy            | opened`
)

scenario(
  "DCA waits for its time, and buys at most the configured number of times",
  {
    taker_fee: 0,
    strategy_dca_switch: true,
    dca_aftertime: 1,
    dca_maxretries: 2,
    dca_percentagetrigger: 5,
    dca_ordersize: 100
  },
  `
  quote 100
  buy            | opened
  quote 90
  holds          | BTC/USDT spot long 10 @ 100
  wait 55s
  quote 90
  wait 5s
  holds          | BTC/USDT spot long 21.11111 @ 94.7368424
  wait 60s
  quote 80
  holds          | BTC/USDT spot long 46.1111 @ 86.7469893
  wait 60s
  quote 50
  notes averaged | 2`
)

scenario(
  "auto close acts when its time comes, while the price is fresh",
  { taker_fee: 0, auto_close_position_enabled: true, auto_close_position_value: 1 },
  `
  quote 100
  buy            | opened
  wait 55s
  quote 101
  wait 4900ms
  holds          | BTC/USDT spot long 10 @ 100
  wait 100ms
  trades         | long 10 @ 100 -> 101 auto_close x1
  buy            | opened
  wait 90s
  holds          | BTC/USDT spot long 9.91089 @ 101
  quote 99
  trades         | long 9.91089 @ 101 -> 99 auto_close x1`
)

scenario(
  "a trailing sell follows the price and sells when it turns",
  { taker_fee: 0, trailing_sell: true, trailing_sell_arm: 5, trailing_sell_percentage: 2 },
  `
  quote 100
  buy            | opened
  quote 104.99
  quote 100
  quote 106
  quote 104
  quote 110
  quote 120
  quote 117.61
  holds          | BTC/USDT spot long 10 @ 100
  quote 117.6
  trades         | long 10 @ 100 -> 117.6 trailing_sell x1`
)

scenario(
  "the currency changes only without open positions, and starts a new period",
  { exchanges: LISTED },
  `
  quote 100
  quote 0.05 ETH/BTC
  buy            | opened
  sell           | closed
  set default_quote_currency="BTC"
  buy            | quote_not_default
  buy ETH/BTC    | opened
  holds          | ETH/BTC spot long 2 @ 0.05`
)
