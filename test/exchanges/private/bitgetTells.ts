// What bitget tells of orders, fills and balances.
import * as Decimal from "../../../src/domain/Decimal.ts"
import { baseOf, quoteOf } from "../../../src/domain/Market.ts"
import type { StubMarket } from "../Protocol.ts"
import { childIdOf, empty, orZero, text } from "./common.ts"
import type { Desk } from "./Desk.ts"
import type { Fill, Order } from "./Order.ts"

export const idOf = ({ pair }: StubMarket): string => baseOf(pair) + quoteOf(pair)

/** As it is called where it is traded. */
export const named = (order: Order) =>
  order.ticket.trigger === undefined
    ? { orderId: order.id, clientOid: order.ticket.clientId ?? "" }
    : { orderId: childIdOf(order), clientOid: `bitget#${order.number}` }

/** As it is called where it waits for its price. */
export const planned = ({ id, ticket }: Order) => ({ orderId: id, clientOid: ticket.clientId ?? "" })

/** What waits for a price, or did: nothing is told there of what was traded. */
export const plan = (order: Order): object => {
  const { cost, market, price, reduceOnly, side, trigger, type } = order.ticket
  const ended = order.status === "cancelled" ? "cancelled" : "live"
  const status = order.wentOff ? "executed" : ended
  return {
    ...planned(order),
    symbol: idOf(market),
    size: text(cost ?? order.ticket.amount ?? Decimal.zero),
    orderType: type,
    side,
    triggerPrice: orZero(trigger?.price),
    executePrice: empty(price),
    triggerType: "fill_price",
    ...(market.kind === "swap"
      ? {
          ...{ planType: "normal_plan", planStatus: status, posSide: "net", posMode: "one_way_mode" },
          ...{ marginCoin: quoteOf(market.pair), marginMode: "isolated", tradeSide: "" },
          executeOrderId: order.wentOff ? childIdOf(order) : "",
          reduceOnly: reduceOnly === true ? "YES" : "NO"
        }
      : { planType: "amount", status, enterPointSource: "API" }),
    cTime: `${order.createdAt}`,
    uTime: `${order.updatedAt}`
  }
}

const statusOf = (order: Order): string =>
  order.status === "filled" || order.status === "cancelled"
    ? order.status
    : order.isPartial
      ? "partially_filled"
      : "live"

export const told = (order: Order): object => {
  const { cost, market, price, reduceOnly, side, tif, type } = order.ticket
  const isSwap = market.kind === "swap"
  const fee = text(Decimal.negate(order.fee))
  const asset = order.feeAsset
  const detail =
    asset === undefined
      ? ""
      : JSON.stringify({ newFees: { t: fee }, [asset]: { feeCoinCode: asset, totalFee: fee } })
  return {
    ...named(order),
    userId: "1",
    symbol: idOf(market),
    price: orZero(price),
    size: text(cost ?? order.amount),
    orderType: type,
    side,
    force: tif ?? "gtc",
    ...(isSwap ? { state: statusOf(order) } : { status: statusOf(order) }),
    priceAvg: empty(order.average),
    baseVolume: text(order.filled),
    quoteVolume: text(order.paid),
    ...(isSwap
      ? {
          fee,
          posSide: "net",
          posMode: "one_way_mode",
          marginCoin: quoteOf(market.pair),
          marginMode: "isolated",
          reduceOnly: reduceOnly === true ? "YES" : "NO"
        }
      : { feeDetail: detail }),
    cTime: `${order.createdAt}`,
    uTime: `${order.updatedAt}`
  }
}

/** The list of what is open calls the order's own price the average, and the average the base price. */
export const pending = (order: Order): object => ({
  ...told(order),
  price: undefined,
  feeDetail: undefined,
  priceAvg: orZero(order.ticket.price),
  basePrice: orZero(order.average)
})

export const trade = (fill: Fill) => {
  const { market, side, type } = fill.order.ticket
  const detail = {
    deduction: "no",
    feeCoin: fill.feeAsset,
    totalDeductionFee: "",
    totalFee: text(Decimal.negate(fill.fee))
  }
  return {
    ...named(fill.order),
    symbol: idOf(market),
    tradeId: fill.id,
    ...{ orderType: type, side, tradeScope: fill.isMaker ? "maker" : "taker" },
    ...(market.kind === "spot"
      ? { priceAvg: text(fill.price), size: text(fill.amount), amount: text(fill.cost), feeDetail: detail }
      : {
          price: text(fill.price),
          baseVolume: text(fill.amount),
          quoteVolume: text(fill.cost),
          feeDetail: [detail],
          posMode: "one_way_mode"
        }),
    cTime: `${fill.at}`,
    uTime: `${fill.at}`
  }
}

export const balances = ({ book }: Desk, kind: "spot" | "swap") =>
  [...book.funds.all].map(([coin, { free, held }]) =>
    kind === "spot"
      ? { coin, available: text(free), frozen: text(held), locked: "0", limitAvailable: "0" }
      : {
          marginCoin: coin,
          available: text(free),
          maxTransferOut: text(free),
          accountEquity: text(Decimal.add(free, held))
        }
  )
