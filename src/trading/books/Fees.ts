// Fee rates of orders. Market orders pay the taker fee. A limit order pays the maker fee on paper, where it rests, and
// the taker fee live, where it fills at once or not at all.
import * as Decimal from "../../domain/Decimal.ts"
import type { Order } from "../../domain/Order.ts"
import type { Settings } from "../../domain/Strategy.ts"

/** Fee rates as fractions (0.001 is 0.1 %): exact for money, as doubles for price levels. */
export interface Fees {
  readonly maker: Decimal.Decimal
  readonly taker: Decimal.Decimal
  readonly makerRate: number
  readonly takerRate: number
}

/** Rates in percent, as exchanges and market files state them. */
export interface FeePercents {
  readonly makerFeePercent: Decimal.Decimal
  readonly takerFeePercent: Decimal.Decimal
}

/** The strategy's own fees if it has any, else those of the trading exchange. */
export const feesOf = (settings: Settings, exchange: FeePercents): Fees => {
  const maker = percent(settings.makerFeePercent, exchange.makerFeePercent)
  const taker = percent(settings.takerFeePercent, exchange.takerFeePercent)
  return { maker, taker, makerRate: Decimal.toNumber(maker), takerRate: Decimal.toNumber(taker) }
}

/** Whether an order pays the maker fee: a limit order on paper. */
export const isMaker = (type: Order["type"], isLive: boolean): boolean => type === "limit" && !isLive

/** The rate that an order pays, as a fraction. */
export const rateOf = ({ live, type }: Pick<Order, "live" | "type">, fees: Fees): Decimal.Decimal =>
  isMaker(type, live !== undefined) ? fees.maker : fees.taker

const percent = (own: number | undefined, exchange: Decimal.Decimal): Decimal.Decimal =>
  Decimal.percentOf(Decimal.one, own === undefined ? exchange : Decimal.fromNumber(own))
