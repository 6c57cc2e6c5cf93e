// The drafts and patches with which programs create and change strategies, by the names of the HTTP interface. `bun run
// settings` writes the fields from the table in StrategyView.
import * as Schema from "effect/Schema"
import type { ExchangeName, QuoteCurrency } from "../Market.ts"
import type { SignalId } from "../Signal.ts"
import { rows } from "./StrategyView.ts"

/**
 * A new strategy. A field that is not here does not compile, and is refused at run time too.
 *
 * @example
 * ```ts
 * import type { StrategyDraft } from "signalbox"
 *
 * const draft: StrategyDraft = {
 *   name: "Mine", description: "", active: true, public: false,
 *   default_quote_currency: "USDT", default_exchange_name: "binance", buy_percentage: 25,
 *   stop_loss: true, stop_loss_percentage: 5,
 *   exchanges: [{ exchange_name: "binance", coin_pairs: ["BTC/USDT"] }]
 * }
 * ```
 */
export interface StrategyDraft {
  /** Name. 1 to 255 characters. Required. */
  readonly name: string
  /** A note of its owner. 0 to 500 characters. Required. */
  readonly description: string
  /** Whether the bot opens positions. Required. */
  readonly active: boolean
  /** Whether other users may read it. Required. */
  readonly public: boolean
  /**
   * The name of its owner that the public directory shows; without one it is not listed there. 1 to 40
   * characters. Default: none.
   */
  readonly display_name?: string | null
  /** The currency that the bot's balance is counted in. Required. */
  readonly default_quote_currency: QuoteCurrency
  /** The exchange preferred where several list a pair; a request may write its name in any case. Required. */
  readonly default_exchange_name: ExchangeName
  /**
   * Percent paid by an order that rests, as a take profit does on paper (0.1 means 0.1 %); the exchange's own
   * where left out. At least 0 and at most 10.
   */
  readonly maker_fee?: number | null
  /**
   * Percent paid by every other order, and reckoned with for all with real money (0.1 means 0.1 %); the
   * exchange's own where left out. At least 0 and at most 10.
   */
  readonly taker_fee?: number | null
  /** Percent of the strategy's equity that an entry buys for. At least 0 and at most 100. Required. */
  readonly buy_percentage: number
  /**
   * Percent of profit, after fees, that closes a position and that a closing alert has to reach. Above 0 and
   * at most 1000000. Default: none.
   */
  readonly sell_minprofitpercent?: number | null
  /** Whether a falling position is bought into again. Default: false. */
  readonly strategy_dca_switch?: boolean
  /**
   * Minutes to wait after an entry fill. A whole number, at least 0 and at most 525600. Required while
   * `strategy_dca_switch` is true.
   */
  readonly dca_aftertime?: number | null
  /**
   * How many extra entries at most. A whole number, at least 1 and at most 200. Required while
   * `strategy_dca_switch` is true.
   */
  readonly dca_maxretries?: number | null
  /**
   * Percent under the average price that triggers an extra entry. Above 0 and below 100. Required while
   * `strategy_dca_switch` is true.
   */
  readonly dca_percentagetrigger?: number | null
  /**
   * Size of an extra entry in percent of the position's cost. Above 0 and at most 1000. Required while
   * `strategy_dca_switch` is true.
   */
  readonly dca_ordersize?: number | null
  /** Whether an entry waits for a turn. Default: false. */
  readonly strategy_trailing_buy_switch?: boolean
  /**
   * Percent above the lowest price since the alert that triggers the entry. Above 0 and below 100. Required
   * while `strategy_trailing_buy_switch` is true.
   */
  readonly trailing_buy_percentage?: number | null
  /** Whether profits are let run behind a trail. Default: false. */
  readonly trailing_sell?: boolean
  /**
   * Percent of profit that arms the trail. Above 0 and at most 1000000. Required while `trailing_sell` is
   * true.
   */
  readonly trailing_sell_arm?: number | null
  /**
   * Percent under the peak that closes the position. Above 0 and below 100. Required while `trailing_sell` is
   * true.
   */
  readonly trailing_sell_percentage?: number | null
  /** Whether losses are cut. Default: false. */
  readonly stop_loss?: boolean
  /**
   * Percent under the average price that closes the position. Above 0 and below 100. Required while
   * `stop_loss` is true.
   */
  readonly stop_loss_percentage?: number | null
  /** Whether everything is closed when the balance has risen enough. Default: false. */
  readonly balance_take_profit?: boolean
  /**
   * Percent above the baseline. At least 0.01 and at most 1000000. Required while `balance_take_profit` is
   * true.
   */
  readonly balance_take_profit_trigger?: number | null
  /**
   * Minutes without entries afterwards. A whole number, at least 0 and at most 525600. Required while
   * `balance_take_profit` is true.
   */
  readonly balance_take_profit_cooldown?: number | null
  /** Whether everything is closed when the balance has fallen too far. Default: false. */
  readonly balance_stop_loss?: boolean
  /** Percent under the baseline. At least 0.01 and below 100. Required while `balance_stop_loss` is true. */
  readonly balance_stop_loss_trigger?: number | null
  /**
   * Minutes without entries afterwards. A whole number, at least 0 and at most 525600. Required while
   * `balance_stop_loss` is true.
   */
  readonly balance_stop_loss_cooldown?: number | null
  /** Whether a position is closed after a time. Default: false. */
  readonly auto_close_position_enabled?: boolean
  /**
   * Minutes after the first entry fill. A whole number, at least 1 and at most 525600. Required while
   * `auto_close_position_enabled` is true.
   */
  readonly auto_close_position_value?: number | null
  /**
   * How many entries by alert a position may have; DCA entries do not count. A whole number, at least 1 and
   * at most 50. Default: 1.
   */
  readonly max_entries?: number | null
  /**
   * What long does to a short that is open or waiting, and short to a long, where the alert does not say
   * reverse: ignore, close or reverse. Default: ignore.
   */
  readonly on_opposite?: "ignore" | "close" | "reverse" | null
  /**
   * Parts of a position that are sold at rising profits, in place of the automatic take profit. 1 to 5 of
   * them. Default: none.
   */
  readonly take_profit_steps?: ReadonlyArray<ProfitStepDraft> | null
  /**
   * How many steps, or targets of an alert, are done before the stop moves to where closing the rest nets
   * zero. A whole number, at least 1 and at most 5. Default: none.
   */
  readonly break_even_after?: number | null
  /**
   * Percent of the strategy's equity that an entry loses where its stop is met, fees aside; an entry without
   * a stop is ignored. Above 0 and at most 100. Default: none.
   */
  readonly risk_percent?: number | null
  /** The signal whose alerts the bot acts on. Default: none. */
  readonly signal_id?: SignalId | null
  /** Whether a closing alert closes below the minimum profit too. Default: false. */
  readonly signal_ignores_sell_min_profit_percent?: boolean
  /** The markets that the bot trades; an update replaces the whole list. One at least. Required. */
  readonly exchanges: ReadonlyArray<ListingDraft>
}

/** An exchange of a strategy, and the pairs that it trades there. */
export interface ListingDraft {
  readonly exchange_name: ExchangeName
  /** Pairs of the form BASE/QUOTE, in capitals. */
  readonly coin_pairs: ReadonlyArray<string>
}

/** A step of a strategy's own: a part that is sold at a profit. */
export interface ProfitStepDraft {
  /** Percent of profit, after fees. Each step's is above that of the one before. */
  readonly profit_percent: number
  /** Percent of all that was entered. All steps together close at most 100. */
  readonly close_percent: number
}

/**
 * A change of a strategy: what is left out stays as it is, `exchanges` is replaced, and null clears a value. Switching a
 * feature off clears its values; switching it on requires all of them.
 */
export type StrategyPatch = Partial<StrategyDraft>

/** The fields with their names in requests, in the sequence of the view. */
const fields = rows.map(({ description, request, role, schema }) => ({
  request,
  isRequired: role === "required",
  field: schema.annotations({ description })
}))

const struct = (isPatch: boolean) =>
  Schema.Struct(
    Object.fromEntries(
      fields.map(({ field, isRequired, request }) => [
        request,
        isRequired && !isPatch ? field : Schema.optional(field)
      ])
    )
  )

/** Unknown fields are errors here too: the typed client would drop them in silence. */
const parseOptions = { onExcessProperty: "error" } as const

/** The schema of a new strategy. It checks each field by itself: the use case knows the rules between them. */
export const StrategyDraft = Schema.make<StrategyDraft>(struct(false).ast).annotations({
  identifier: "StrategyDraft",
  parseOptions
})
/** The schema of a change. */
export const StrategyPatch = Schema.make<StrategyPatch>(struct(true).ast).annotations({
  identifier: "StrategyPatch",
  parseOptions
})
