import type { BotState, Slot, TrailingBuy } from "../../domain/Bot.ts"
import type * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, QuoteCurrency } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import { costOf, type Position } from "../../domain/Position.ts"
import { closingValue, figuresOf } from "../books/Positions.ts"
import type { Context } from "../Decision.ts"
import { closingPrice } from "../Prices.ts"
import { freeCash } from "../Risk.ts"
import { autoCloseAt } from "../rules/exits.ts"
import { type Level, levelsOf } from "../rules/Levels.ts"
import { coolingUntil } from "../rules/Trigger.ts"
import * as Sizing from "../Sizing.ts"

/**
 * An open position as it stands. Money in quote. `price` is what closing now would get, `value` what has come back and
 * what closing would bring after the exit taker fee, `pnl` that minus `cost`: absent while no price is known. Levels are
 * worked out when they are asked for, of the same moment.
 */
export interface Holding {
  readonly market: MarketId
  readonly side: PositionSide
  readonly quantity: Decimal.Decimal
  readonly average: number
  readonly entries: number
  readonly cost: Decimal.Decimal
  readonly closing?: {
    readonly price: number
    readonly value: number
    readonly pnl: number
    readonly percent: number
  }
  readonly openedAt: number
  readonly closesAt: number | undefined
  readonly isOrdering: boolean
  readonly levels: () => ReadonlyArray<Level>
}

/** An entry that waits for the price to turn, and the price at which it would be made. */
export interface Armed {
  readonly market: MarketId
  readonly entry: TrailingBuy
  readonly level: number
}

/** A bot as it stands at a moment. Times in ms; `coolingUntil` is absent where nothing keeps it from entering. */
export interface Standing {
  readonly quote: QuoteCurrency
  readonly cash: Decimal.Decimal
  readonly equity: Decimal.Decimal
  readonly openPnl: number
  readonly holdings: ReadonlyArray<Holding>
  readonly armed: ReadonlyArray<Armed>
  readonly coolingUntil: number | undefined
}

/** What a bot has, at the last prices of the context. A position without a price counts at what it cost. */
export const standingOf = (context: Context, state: BotState): Standing => {
  const holdings: Array<Holding> = []
  const armed: Array<Armed> = []
  let openPnl = 0
  for (const key in state.slots) {
    const slot = state.slots[key]
    if (slot?.position !== undefined) {
      const holding = holdingOf(context, state, slot, slot.position)
      openPnl += holding.closing?.pnl ?? 0
      holdings.push(holding)
    } else if (slot?.trailingBuy !== undefined) armed.push(...armedOf(context, state, slot, slot.trailingBuy))
  }
  const until = coolingUntil(state)
  return {
    quote: state.quote,
    cash: freeCash(state),
    equity: Sizing.equity(context, state),
    openPnl,
    holdings,
    armed,
    coolingUntil: until > context.now ? until : undefined
  }
}

const holdingOf = (context: Context, state: BotState, slot: Slot, position: Position): Holding => {
  const market = marketOf(slot)
  const ticker = context.quote(market)
  const figures = figuresOf(position)
  const { side } = position
  const holding = {
    market,
    side,
    quantity: position.quantity,
    average: figures.average,
    entries: position.entries,
    cost: costOf(position),
    openedAt: position.openedAt,
    closesAt: autoCloseAt({ context }, position),
    isOrdering: slot.order !== undefined || slot.stopEnding === true,
    levels: () => levelsOf(context, state, slot, ticker)
  }
  if (ticker === undefined) return holding
  const price = closingPrice(side, ticker)
  const value = closingValue(figures, price, context.fees(market).takerRate)
  const pnl = value - figures.cost
  return { ...holding, closing: { price, value, pnl, percent: (pnl / figures.cost) * 100 } }
}

/** Without the settings of a trailing buy it is about to be cancelled, and waits for nothing. */
const armedOf = (context: Context, state: BotState, slot: Slot, entry: TrailingBuy): ReadonlyArray<Armed> => {
  const market = marketOf(slot)
  const [level] = levelsOf(context, state, slot, context.quote(market))
  return level === undefined ? [] : [{ market, entry, level: level.price }]
}

const marketOf = ({ exchange, kind, pair }: Slot): MarketId => ({ exchange, pair, kind })
