// A case: what `signalbox backtest` takes, and the part of its answer that both engines are compared by. Plain JSON, so
// that a failure prints a scenario that a person can run.

/** The fields of a strategy request that the rules read. */
export interface Wishes {
  readonly active?: boolean
  readonly buy_percentage: number
  readonly maker_fee: number
  readonly taker_fee: number
  readonly pairs: ReadonlyArray<string>
  readonly sell_minprofitpercent?: number
  readonly signal_ignores_sell_min_profit_percent?: boolean
  readonly trailing_buy_percentage?: number
  readonly dca?: {
    readonly after: number
    readonly retries: number
    readonly trigger: number
    readonly size: number
  }
  readonly trailing_sell?: { readonly arm: number; readonly percent: number }
  readonly stop_loss_percentage?: number
  readonly balance_take_profit?: { readonly trigger: number; readonly cooldown: number }
  readonly balance_stop_loss?: { readonly trigger: number; readonly cooldown: number }
  readonly auto_close_position_value?: number
  readonly max_entries?: number
  readonly on_opposite?: "ignore" | "close" | "reverse"
  readonly take_profit_steps?: ReadonlyArray<{
    readonly profit_percent: number
    readonly close_percent: number
  }>
  readonly break_even_after?: number
  readonly risk_percent?: number
}

export type Side = "long" | "short"
export type Kind = "spot" | "swap"
export type AlertKind = "buy" | "sell" | "long" | "short" | "close_long" | "close_short"

export interface Rung {
  readonly price: number
  readonly percent: number
}

/** An alert of a file, with its pair. `growth` is how much a chart's position grew, as a fraction of what it was. */
export interface CaseAlert {
  readonly time: number
  readonly pair: string
  readonly type: AlertKind
  readonly tp?: number | undefined
  readonly sl?: number | undefined
  readonly tps?: ReadonlyArray<Rung> | undefined
  readonly close_percent?: number | undefined
  readonly reverse?: boolean | undefined
  readonly buy_percentage?: number | undefined
  readonly growth?: number | undefined
  /** A close for whichever side is held. */
  readonly either_side?: true | undefined
}

export interface CaseMarket {
  readonly price_step: number
  readonly amount_step: number
  readonly min_amount: number
  readonly min_cost: number
  readonly buy_enabled?: boolean
}

export type Candle = readonly [time: number, open: number, high: number, low: number, close: number]

export interface CaseSeries {
  readonly pair: string
  readonly market: CaseMarket
  readonly candles: ReadonlyArray<Candle>
}

/** Fills nearer to life, by the names of the interface. */
export interface CaseFills {
  readonly slippage_percent?: number | undefined
  readonly slippage_ticks?: number | undefined
  readonly spread_percent?: number | undefined
  readonly limits?: "through" | undefined
}

export interface Case {
  readonly fills?: CaseFills | undefined
  readonly balance: number
  readonly strategy: Wishes
  readonly series: ReadonlyArray<CaseSeries>
  readonly alerts: ReadonlyArray<CaseAlert>
}

export interface ExitRow {
  readonly at: number
  readonly price: number
  readonly quantity: number
  readonly reason: string
}

/** A trade by the names of `backtest --json`. */
export interface TradeRow {
  readonly pair: string
  readonly kind: Kind
  readonly side: Side
  readonly opened_at: number
  readonly closed_at: number
  readonly entry_price: number
  readonly exit_price: number
  readonly quantity: number
  readonly cost: number
  readonly proceeds: number
  readonly fees: number
  readonly pnl: number
  readonly exit_reason: string
  readonly entries: number
  readonly exits: number
  readonly exit_fills: ReadonlyArray<ExitRow>
}

export interface OpenRow {
  readonly pair: string
  readonly kind: Kind
  readonly side: Side
  readonly opened_at: number
  readonly entry_price: number
  readonly quantity: number
  readonly cost: number
  readonly fees: number
  readonly entries: number
}

export interface Answer {
  readonly trades: ReadonlyArray<TradeRow>
  readonly open: ReadonlyArray<OpenRow>
  readonly ignored: ReadonlyArray<{ readonly time: number; readonly reason: string }>
  readonly ambiguous_candles: number
}
