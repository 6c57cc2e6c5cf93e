// The comparisons of an audit: each stored value against the value that the books give. Decimals must be equal; sums of
// doubles may differ in their last digits.
import type { BotState, Slot } from "../../domain/Bot.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { Fill } from "../../domain/Fill.ts"
import { marketKey } from "../../domain/Market.ts"
import type { Order } from "../../domain/Order.ts"
import type { Position } from "../../domain/Position.ts"
import type { ExitFill, Trade } from "../../domain/Trade.ts"
import { imbalance, type Posting } from "../books/Ledger.ts"
import type { Tally } from "../Performance.ts"
import type { Finding, Holding, Part, Row, Totals } from "./Books.ts"

type Cell = Decimal.Decimal | string | number | boolean | undefined

/** Compares a posting with the one that its fill makes. `fill` is the fill's row id. */
export function* posting(
  id: number,
  fill: number | undefined,
  stored: Posting,
  due: Posting
): Generator<Finding> {
  const source = fill === undefined ? "the position makes it" : `fill ${fill} makes it`
  for (const text of differences([["at", stored.at, due.at]], source))
    yield { table: "ledger", row: id, text }
  const accounts = new Set([...stored.lines, ...due.lines].map(({ account }) => account))
  for (const account of accounts) {
    const sum = ({ lines }: Posting) =>
      imbalance({ at: 0, lines: lines.filter((line) => line.account === account) })
    for (const text of differences([[account, sum(stored), sum(due)]], source))
      yield { table: "ledger", row: id, text }
  }
}

/** Compares a trade with the one that its fills make. */
export function* trade({ id, value }: Row<Trade>, due: Trade): Generator<Finding> {
  const { exitFills: listed, ...stored } = value
  const { exitFills: made = [], exits, ...whole } = due
  // Older versions counted and listed no exits.
  const counted = stored.exits === undefined ? whole : { ...whole, ...(exits === undefined ? {} : { exits }) }
  const exitCells = (listed ?? made).flatMap((exit, index) => exitsOf(exit, made[index], index))
  for (const text of differences([...pairs(stored, counted), ...exitCells], "its fills make it"))
    yield { table: "trades", row: id, text }
  if (listed !== undefined && listed.length !== made.length)
    yield { table: "trades", row: id, text: `it lists ${listed.length} exits, its fills make ${made.length}` }
}

const exitsOf = (
  stored: ExitFill,
  due: ExitFill | undefined,
  index: number
): ReadonlyArray<readonly [string, Cell, Cell]> =>
  due === undefined
    ? []
    : pairs({ ...stored }, { ...due }).map(([name, value, other]) => [
        `exitFills[${index}].${name}`,
        value,
        other
      ])

/** Relative precision of a mean price times a quantity, both doubles. */
const PRECISION = 1e-9

/** Compares a fill with its order. `filled` is the order's filled quantity, this fill included. */
export function* fill(
  row: number,
  stored: Fill,
  order: Order | undefined,
  filled: Decimal.Decimal
): Generator<Finding> {
  const errors = (text: string): Finding => ({ table: "fills", row, text })
  if (order === undefined) yield errors(`its order ${stored.order} is not there, or cannot be read`)
  else {
    const names: ReadonlyArray<readonly [string, Cell, Cell]> = [
      ["market", marketKey(stored), marketKey(order)],
      ["side", stored.side, order.side]
    ]
    for (const text of differences(names, "its order has it")) yield errors(text)
    if (Decimal.greaterThan(filled, order.quantity))
      yield errors(
        `order ${order.id} was for ${Decimal.toText(order.quantity)}, and ${Decimal.toText(filled)} is filled`
      )
  }
  const { fee, notional, paid, price, quantity } = stored
  // A fee paid in the bought coin is not part of the quantity received.
  if (paid === undefined && !isNear(Decimal.approximate(quantity) * price, notional))
    yield errors(`notional is ${Decimal.toText(notional)}, quantity times price is not`)
  if (paid !== undefined && !isNear(Decimal.approximate(paid.amount) * Decimal.approximate(paid.rate), fee))
    yield errors(`fee is ${Decimal.toText(fee)}, what was paid times its rate is not`)
}

const isNear = (product: number, value: Decimal.Decimal): boolean => {
  const number = Decimal.approximate(value)
  return Math.abs(product - number) <= PRECISION * Math.max(Math.abs(number), PRECISION)
}

/** Compares the bot's state with the totals of its books. */
export function* state(
  totals: Totals,
  stored: BotState,
  inFlight: ReadonlyMap<string, Order>
): Generator<Finding> {
  const errors = (text: string): Finding => ({ table: "bots", text })
  const balances: ReadonlyArray<readonly [string, Cell, Cell]> = [
    ["cash", stored.cash, totals.cash],
    ["startingBalance", stored.startingBalance, totals.starting]
  ]
  for (const text of differences(balances, "the ledger comes to")) yield errors(`state: ${text}`)
  for (const market of new Set([...Object.keys(stored.slots), ...totals.holdings.keys()])) {
    const slot = stored.slots[market]
    const holding = totals.holdings.get(market)
    for (const text of held(slot, holding)) yield errors(`state, ${market}: ${text}`)
    for (const order of [slot?.order, slot?.stop]) {
      const part = order && (holding?.parts.get(order.id) ?? totals.late.get(order.id))
      if (order === undefined) continue
      for (const text of ordered(order, inFlight, part)) yield errors(`state, ${market}: ${text}`)
    }
  }
}

function* held(slot: Slot | undefined, holding: Holding | undefined): Generator<string> {
  if (holding?.isAdrift === true) return
  const due = holding?.open?.position
  if (slot?.position !== undefined && due === undefined) yield "holds a position that its fills do not make"
  if (slot?.position === undefined && due !== undefined) yield "holds nothing, its fills make a position"
  if (slot?.position !== undefined && due !== undefined)
    yield* differences(pairs(booked(slot.position), booked(due)), "its fills make it")
  const { openFees } = slot?.position ?? {}
  // A position from before these were kept has none.
  if (openFees !== undefined && due !== undefined)
    yield* differences([["openFees", openFees, due.openFees]], "its fills make it")
}

/** The fields of a position that the books determine. */
const booked = ({ basis, entries, entryFees, entryNotional, entryQuantity, ...rest }: Position) => ({
  side: rest.side,
  openedAt: rest.openedAt,
  lastEntryAt: rest.lastEntryAt,
  entries,
  quantity: rest.quantity,
  basis,
  entryQuantity,
  entryNotional,
  entryFees,
  exitQuantity: rest.exitQuantity,
  exitNotional: rest.exitNotional,
  exitFees: rest.exitFees,
  proceeds: rest.proceeds
})

/** Compares an order in flight with the unfilled rest of its intent. */
function* ordered(
  order: Order,
  inFlight: ReadonlyMap<string, Order>,
  part: Part | undefined
): Generator<string> {
  const intent = inFlight.get(order.id)
  if (intent === undefined) return yield `order ${order.id} is in flight, but no such order is stored`
  const left = (whole: Decimal.Decimal, done: Decimal.Decimal = Decimal.zero) =>
    Decimal.max(Decimal.subtract(whole, done), Decimal.zero)
  const sentTo = ({ live }: Order) => live && `${live.account}:${live.tag}`
  const cells: ReadonlyArray<readonly [string, Cell, Cell]> = [
    ["quantity", order.quantity, left(intent.quantity, part?.filled)],
    [
      "reserved",
      order.reserved,
      intent.purpose === "exit" ? intent.reserved : left(intent.reserved, part?.used)
    ],
    ["price", order.price, intent.price],
    ["live", sentTo(order), sentTo(intent)]
  ]
  for (const text of differences(cells, "the rest of its intent is")) yield `order ${order.id}: ${text}`
}

/** Compares the stored performance figures with the recomputed ones. Only an app knows how to recompute its own. */
export function* tally({ own: _, ...due }: Tally, { own: __, ...stored }: Tally): Generator<Finding> {
  for (const text of differences(pairs(stored, due), "its trades make it"))
    yield { table: "bots", text: `tally: ${text}` }
}

const pairs = <A extends Readonly<Record<string, Cell>>>(
  stored: A,
  due: A
): ReadonlyArray<readonly [string, Cell, Cell]> =>
  [...new Set([...Object.keys(stored), ...Object.keys(due)])].map((name) => [name, stored[name], due[name]])

/** Yields a text like `cash is 5, the ledger comes to 6` for each cell that differs. */
function* differences(
  cells: ReadonlyArray<readonly [string, Cell, Cell]>,
  source: string
): Generator<string> {
  for (const [name, stored, due] of cells) {
    if (!isSame(stored, due)) yield `${name} is ${shown(stored)}, ${source} ${shown(due)}`
  }
}

/** Decimals are exact; sums of doubles may differ in their last digits between versions. */
const isSame = (stored: Cell, due: Cell): boolean => {
  if (typeof stored === "object" && typeof due === "object") return Decimal.equals(stored, due)
  if (typeof stored !== "number" || typeof due !== "number") return stored === due
  return stored === due || Math.abs(stored - due) <= 1e-9 * Math.min(Math.abs(stored), Math.abs(due)) + 1e-15
}

const shown = (cell: Cell): string => {
  if (cell === undefined) return "missing"
  return typeof cell === "object" ? Decimal.toText(cell) : String(cell)
}
