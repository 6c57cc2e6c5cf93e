import * as Decimal from "../domain/Decimal.ts"
import { marketKey } from "../domain/Market.ts"
import type { OrderId } from "../domain/Order.ts"
import type { Trade } from "../domain/Trade.ts"
import * as Compare from "./AuditCompare.ts"
import {
  type Books,
  type Finding,
  type Holding,
  nothing,
  type OrderedFill,
  PAUSE,
  type Pause,
  Pile,
  type Row,
  STRETCH,
  type Totals
} from "./Books.ts"
import * as Ledger from "./Ledger.ts"
import * as Performance from "./Performance.ts"
import * as Positions from "./Positions.ts"

/**
 * Does a bot's bookkeeping once more, from its fills and in the order of its ledger, and tells where what is stored
 * differs: postings, trades, the state's balances and positions, the tally. Holds no more than a few rows at a time.
 * What only prices decide (a baseline, the peak of a trail) is not in the books, and is not looked at.
 */
export function* audit(books: Books): Generator<Finding | Pause> {
  const createdAt = books.bot?.tally.createdAt ?? 0
  const walk: Walk = {
    fills: new Pile(books.fills),
    trades: new Pile(books.trades),
    holdings: new Map(),
    cash: Decimal.zero,
    starting: Decimal.zero,
    tally: Performance.begin(Decimal.zero, createdAt)
  }
  let postings = 0
  for (const posting of books.postings) {
    yield* follow(walk, posting)
    if (++postings % STRETCH === 0) yield PAUSE
  }
  for (const row of walk.fills.rest()) yield* unposted(walk, row)
  for (const row of walk.trades.rest()) yield unfounded(row)
  if (books.bot === undefined)
    return yield { table: "bots", text: "there are books, but no bot that kept them" }
  yield* Compare.state(walk, books.bot.state, books.inFlight)
  yield* Compare.tally(walk.tally, books.bot.tally)
  if (books.createdAt !== undefined && books.createdAt !== createdAt)
    yield { table: "bots", text: `tally: createdAt is ${createdAt}, its strategy has ${books.createdAt}` }
}

interface Walk extends Totals {
  readonly fills: Pile<OrderedFill>
  readonly trades: Pile<Trade>
}

const at = (table: string, row: number, text: string): Finding => ({ table, row, text })
const unfounded = ({ id }: Row<Trade>) => at("trades", id, "the fills make no such trade")

function* follow(walk: Walk, { id, value: posting }: Row<Ledger.Posting>): Generator<Finding> {
  const over = Ledger.imbalance(posting)
  if (!Decimal.isZero(over)) yield at("ledger", id, `its lines come to ${Decimal.toText(over)} instead of 0`)
  const { cash } = Ledger.balances([posting])
  walk.cash = Decimal.add(walk.cash, cash)
  if (isOf(posting, "capital")) return yield* paidIn(walk, id, cash)
  if (posting.market === undefined || posting.order === undefined)
    return yield at("ledger", id, "it names no market or no order")
  const caused = { ...posting, market: posting.market, order: posting.order }
  yield* isOf(posting, "dust") ? swept(walk, id, caused) : filled(walk, id, caused)
}

const holdingOf = ({ holdings }: Walk, market: string): Holding => {
  const holding = holdings.get(market) ?? nothing()
  holdings.set(market, holding)
  return holding
}

const isOf = ({ lines }: Ledger.Posting, name: Ledger.AccountName): boolean =>
  lines.some(({ account }) => account === name)

/** What an order has caused. */
interface Cause {
  readonly at: number
  readonly market: string
  readonly order: OrderId
}
type Caused = Ledger.Posting & Cause

/** The starting balance; or what was left of it going out, when all begins anew in another currency. */
function* paidIn(walk: Walk, id: number, amount: Decimal.Decimal): Generator<Finding> {
  const isOut = Decimal.isNegative(amount)
  if (isOut && !Decimal.isZero(walk.cash))
    yield at("ledger", id, `all goes out, and yet cash of ${Decimal.toText(walk.cash)} is left`)
  walk.starting = isOut ? Decimal.zero : amount
  walk.tally = Performance.begin(walk.starting, walk.tally.createdAt)
}

function* filled(walk: Walk, id: number, posting: Caused): Generator<Finding> {
  const { found, passed } = walk.fills.seek(({ fill }) => fill.order === posting.order)
  for (const row of passed) yield* unposted(walk, row)
  const holding = holdingOf(walk, posting.market)
  holding.basis = Decimal.add(holding.basis, Ledger.balances([posting]).positions)
  if (found === undefined) {
    yield at("ledger", id, `there is no fill of order ${posting.order} for it`)
    holding.isAdrift = true
  } else {
    const due = yield* booked(holding, found, isOf(posting, "result"))
    const market = marketKey(found.value.fill)
    if (posting.market !== market)
      yield at("ledger", id, `it is of ${posting.market}, its fill ${found.id} of ${market}`)
    if (due !== undefined) yield* Compare.posting(id, found.id, posting, due)
  }
  if (isOver(holding)) yield* completed(walk, `ledger row ${id}`, posting, holding)
}

/** A fill that the ledger leaves out moved the position all the same; unless it is there once too often. */
function* unposted(walk: Walk, row: Row<OrderedFill>): Generator<Finding> {
  const { fill, order } = row.value
  yield at("fills", row.id, `the ledger has no posting for this fill of order ${fill.order}`)
  const market = marketKey(fill)
  const holding = holdingOf(walk, market)
  const filled = holding.order === fill.order ? holding.filled : Decimal.zero
  if (order === undefined || Decimal.greaterThan(Decimal.add(filled, fill.quantity), order.quantity)) return
  const held = holding.open?.position.quantity ?? Decimal.zero
  if (order.purpose === "exit" && Decimal.lessThan(held, fill.quantity)) return
  yield* booked(holding, row, order.purpose === "exit")
  if (isOver(holding))
    yield* completed(walk, `fill ${row.id}`, { at: fill.at, market, order: order.id }, holding)
}

const isOver = ({ basis, isAdrift, open }: Holding): boolean => {
  const left = isAdrift ? basis : open?.position.quantity
  return left !== undefined && !Decimal.isPositive(left)
}

/** Books a fill as the bot did; the posting that it makes, where that is known. */
function* booked(
  holding: Holding,
  { id, value: { fill, order } }: Row<OrderedFill>,
  hasResult: boolean
): Generator<Finding, Ledger.Posting | undefined> {
  const isFirst = holding.order !== fill.order
  holding.order = fill.order
  holding.filled = Decimal.add(isFirst ? Decimal.zero : holding.filled, fill.quantity)
  holding.used = Decimal.sum([isFirst ? Decimal.zero : holding.used, fill.notional, fill.fee])
  yield* Compare.fill(id, fill, order, holding.filled)
  if (holding.isAdrift) return undefined
  const before = holding.open?.position
  const market = marketKey(fill)
  if (order === undefined ? !hasResult : order.purpose !== "exit") {
    const opening = order ?? { position: fill.side === "buy" ? "long" : "short" }
    const position =
      before === undefined ? Positions.opened(opening, fill) : Positions.increased(before, fill, isFirst)
    holding.open = { market: fill, position }
    return Ledger.entry(market, fill)
  }
  if (before === undefined || Decimal.lessThan(before.quantity, fill.quantity)) {
    holding.isAdrift = true
    yield at("fills", id, "it takes out more than was held")
    return undefined
  }
  const exited = Positions.decreased(before, fill, order)
  holding.reason = order?.exitReason
  holding.open = { market: fill, position: exited.position }
  return Ledger.exit(market, fill, exited)
}

/** What rounding left goes out of the books. */
function* swept(walk: Walk, id: number, posting: Caused): Generator<Finding> {
  const holding = holdingOf(walk, posting.market)
  if (holding.open === undefined && !holding.isAdrift)
    yield at("ledger", id, "there is nothing that could be dust")
  if (holding.open !== undefined && !holding.isAdrift) {
    const { basis } = holding.open.position
    const due = Ledger.dust(posting.market, basis, posting.order, posting.at)
    yield* Compare.posting(id, undefined, posting, due)
  }
  yield* completed(walk, `ledger row ${id}`, posting, holding)
}

/** Dust may be swept after an order that came to nothing: why that one was made is not in the books. */
const reasonOf = (holding: Holding, cause: Cause, found: Row<Trade> | undefined) =>
  (holding.order === cause.order ? holding.reason : found?.value.exitReason) ?? "signal"

/** Nothing is held any more: the trade has to be there, and counts. */
function* completed(walk: Walk, end: string, cause: Cause, holding: Holding): Generator<Finding> {
  walk.holdings.delete(cause.market)
  const open = holding.isAdrift ? undefined : holding.open
  const { found, passed } = walk.trades.seek(
    (trade) =>
      marketKey(trade) === cause.market &&
      (trade.closedAt === cause.at || trade.openedAt === open?.position.openedAt)
  )
  for (const row of passed) yield unfounded(row)
  if (found === undefined)
    yield { table: "trades", text: `the trade on ${cause.market} that ${end} ended is missing` }
  const due =
    open === undefined
      ? found?.value
      : Positions.completed(
          open.market,
          open.position,
          reasonOf(holding, cause, found),
          cause.at,
          found?.value.period,
          found?.value.live === true
        )
  if (due === undefined) return
  walk.tally = Performance.add(walk.tally, due)
  if (found !== undefined) yield* Compare.trade(found, due)
}
