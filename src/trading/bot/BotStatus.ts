// A bot at one moment, as its owner sees it: cash, equity, open positions with P&L and levels, armed entries and the
// cooldown.
import type { BotState, Slot, TrailingBuy } from "../../domain/Bot.ts"
import type * as Decimal from "../../domain/Decimal.ts"
import type { MarketId, QuoteCurrency } from "../../domain/Market.ts"
import type { PositionSide } from "../../domain/Order.ts"
import { costLeft, type Position } from "../../domain/Position.ts"
import { closingValue, figuresOf } from "../books/Positions.ts"
import type { Context } from "../Decision.ts"
import { closingPrice } from "../Prices.ts"
import { freeCash } from "../Risk.ts"
import { breakEvenLevel } from "../rules/breakEven.ts"
import { autoCloseAt } from "../rules/exits.ts"
import { type Level, levelsOf } from "../rules/Levels.ts"
import { coolingUntil } from "../rules/Trigger.ts"
import * as Sizing from "../Sizing.ts"

/**
 * An open position. Money in quote. `price` is what closing would get now, `value` the proceeds so far plus what
 * closing would return after the taker fee, `pnl` is value - cost; all absent without a price. `levels` are computed on
 * demand for the same moment.
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
  /** All that was entered; more than `quantity` once a part is closed. */
  readonly entered: Decimal.Decimal
  /** How many parts were closed so far. */
  readonly exits: number
  readonly breakEven?: BreakEven
  readonly levels: () => ReadonlyArray<Level>
}

/**
 * The stop at break even that the settings want: after how many steps, how many are done, its price as things stand, and
 * whether it is the stop already.
 */
export interface BreakEven {
  readonly after: number
  readonly done: number
  readonly price: number
  readonly isArmed: boolean
}

/** An armed trailing buy and the price at which it enters. */
export interface Armed {
  readonly market: MarketId
  readonly entry: TrailingBuy
  readonly level: number
}

/** A bot at one moment. Times in ms; `coolingUntil` is undefined if no cooldown holds. */
export interface BotStatus {
  readonly quote: QuoteCurrency
  readonly cash: Decimal.Decimal
  readonly equity: Decimal.Decimal
  readonly openPnl: number
  readonly holdings: ReadonlyArray<Holding>
  readonly armed: ReadonlyArray<Armed>
  readonly coolingUntil: number | undefined
}

/** The standing at the last prices of the context. A position without a price counts at its cost. */
export const standingOf = (context: Context, state: BotState): BotStatus => {
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
    cost: costLeft(position),
    openedAt: position.openedAt,
    closesAt: autoCloseAt({ context }, position),
    isOrdering: slot.order !== undefined || slot.stopEnding === true,
    entered: position.entryQuantity,
    exits: position.exits ?? 0,
    ...breakEvenOf(context, market, position),
    levels: () => levelsOf(context, state, slot, ticker)
  }
  if (ticker === undefined) return holding
  const price = closingPrice(side, ticker)
  const value = closingValue(figures, price, context.fees(market).takerRate)
  const pnl = value - figures.cost
  return { ...holding, closing: { price, value, pnl, percent: (pnl / figures.cost) * 100 } }
}

const breakEvenOf = (
  context: Context,
  market: MarketId,
  position: Position
): { readonly breakEven?: BreakEven } => {
  const { breakEvenAfter } = context.settings
  if (breakEvenAfter === undefined) return {}
  const price = breakEvenLevel({ fees: context.fees(market) }, figuresOf(position))
  const { breakEven, stepsFilled = 0 } = position
  return {
    breakEven: { after: breakEvenAfter, done: stepsFilled, price, isArmed: breakEven === true }
  }
}

/** If the trailing buy was switched off, the entry is about to be cancelled and has no level. */
const armedOf = (context: Context, state: BotState, slot: Slot, entry: TrailingBuy): ReadonlyArray<Armed> => {
  const market = marketOf(slot)
  const [level] = levelsOf(context, state, slot, context.quote(market))
  return level === undefined ? [] : [{ market, entry, level: level.price }]
}

const marketOf = ({ exchange, kind, pair }: Slot): MarketId => ({ exchange, pair, kind })
