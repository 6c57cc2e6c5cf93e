// Verifies a bot's books: books its fills again in the sequence of its ledger, and reports where the stored postings,
// trades, balances, positions or tally differ from the result.
import * as Decimal from "../../domain/Decimal.ts"
import { marketKey } from "../../domain/Market.ts"
import type { ExitReason, OrderId } from "../../domain/Order.ts"
import type { Trade } from "../../domain/Trade.ts"
import * as Ledger from "../books/Ledger.ts"
import * as Positions from "../books/Positions.ts"
import * as Performance from "../Performance.ts"
import * as Compare from "./AuditCompare.ts"
import {
  type Books,
  type Finding,
  type Holding,
  nothing,
  type OrderedFill,
  PAUSE,
  type Pause,
  type Row,
  RowReader,
  STRETCH,
  type Totals
} from "./Books.ts"

/**
 * Yields each difference as a finding, and a pause now and then. Holds only a few rows in memory. Values that depend on
 * prices alone (the baseline, the peak of a trail) are not in the books and are not checked.
 */
export function* audit(books: Books): Generator<Finding | Pause> {
  const createdAt = books.bot?.tally.createdAt ?? 0
  const present = books.bot?.state.period ?? 1
  const walk: Walk = {
    inFlight: books.inFlight,
    createdAt: present === 1 ? createdAt : undefined,
    openings: 0,
    periods: new Map(),
    late: new Map(),
    fills: new RowReader(books.fills),
    trades: new RowReader(books.trades),
    holdings: new Map(),
    cash: Decimal.zero,
    starting: Decimal.zero,
    tally: Performance.begin(Decimal.zero, createdAt)
  }
  let postings = 0
  for (const posting of books.postings) {
    if (posting === PAUSE) {
      yield PAUSE
      continue
    }
    yield* follow(walk, posting)
    if (++postings % STRETCH === 0) yield PAUSE
  }
  for (const row of walk.fills.rest()) yield* row === PAUSE ? [PAUSE] : unposted(walk, row)
  for (const row of walk.trades.rest()) yield row === PAUSE ? PAUSE : unfounded(row)
  if (books.bot === undefined) return yield { table: "bots", text: "there are books, but no bot" }
  yield* Compare.state(walk, books.bot.state, books.inFlight)
  yield* Compare.tally(walk.tally, books.bot.tally)
  yield* periods(walk, present)
  if (books.createdAt !== undefined && present === 1 && books.createdAt !== createdAt)
    yield { table: "bots", text: `tally: createdAt is ${createdAt}, its strategy has ${books.createdAt}` }
}

interface Walk extends Totals {
  readonly fills: RowReader<OrderedFill>
  readonly trades: RowReader<Trade>
  readonly inFlight: Books["inFlight"]
  /** The start of performance (ms); undefined if the first posting starts it. */
  readonly createdAt: number | undefined
  /** How many times capital was paid in, and for each time the period that the first trade after it names. */
  openings: number
  readonly periods: Map<number, Row<number>>
}

const at = (table: string, row: number, text: string): Finding => ({ table, row, text })
const unfounded = ({ id }: Row<Trade>) => at("trades", id, "its fills make no such trade")

function* follow(walk: Walk, { id, value: posting }: Row<Ledger.Posting>): Generator<Finding | Pause> {
  const over = Ledger.imbalance(posting)
  if (!Decimal.isZero(over)) yield at("ledger", id, `its lines come to ${Decimal.toText(over)} instead of 0`)
  const { cash } = Ledger.balances([posting])
  walk.cash = Decimal.add(walk.cash, cash)
  if (isOf(posting, "capital")) return yield* paidIn(walk, id, posting.at, cash)
  const { market, order } = posting
  if (market !== undefined && isOf(posting, "written_off")) {
    const caused = { ...posting, market, reason: "written_off" as const }
    return yield* swept(walk, id, caused, (basis) => Ledger.writtenOff(market, basis, posting.at))
  }
  if (market === undefined || order === undefined)
    return yield at("ledger", id, "it names no market, or no order")
  const caused = { ...posting, market, order }
  yield* isOf(posting, "dust")
    ? swept(walk, id, { ...caused, otherwise: "written_off" }, (basis) =>
        Ledger.dust(market, basis, order, posting.at)
      )
    : filled(walk, id, caused)
}

const holdingOf = ({ holdings }: Walk, market: string): Holding => {
  const holding = holdings.get(market) ?? nothing()
  holdings.set(market, holding)
  return holding
}

const isOf = ({ lines }: Ledger.Posting, name: Ledger.AccountName): boolean =>
  lines.some(({ account }) => account === name)

/** The cause of a posting: an order, or a write-off without one, with its reason. */
interface Cause {
  readonly at: number
  readonly market: string
  readonly order?: OrderId
  readonly reason?: ExitReason
  /** The exit reason if no exit order gives one. */
  readonly otherwise?: ExitReason
}
type Caused = Ledger.Posting & Cause

/**
 * Capital: the starting balance is paid in, or the rest is paid out before the bot starts anew (armed, back on paper,
 * or in another currency).
 */
function* paidIn(walk: Walk, id: number, posted: number, amount: Decimal.Decimal): Generator<Finding> {
  const isOut = Decimal.isNegative(amount)
  if (isOut && !Decimal.isZero(walk.cash))
    yield at("ledger", id, `all capital is paid out, but cash of ${Decimal.toText(walk.cash)} is left`)
  walk.starting = isOut ? Decimal.zero : amount
  if (!isOut) walk.openings++
  walk.tally = Performance.begin(walk.starting, walk.createdAt ?? posted)
}

/** Restarts from before periods were counted all belong to period 1. */
function* periods({ openings, periods }: Walk, present: number): Generator<Finding> {
  for (const [opening, { id, value }] of periods) {
    const due = Math.max(1, opening - openings + present)
    if (value !== due) yield at("trades", id, `period is ${value}, its capital makes it ${due}`)
  }
}

function* filled(
  walk: Walk,
  id: number,
  posting: Caused & { readonly order: OrderId }
): Generator<Finding | Pause> {
  const { found, passed } = yield* walk.fills.seek(({ fill }) => fill.order === posting.order)
  for (const row of passed) yield* unposted(walk, row)
  const holding = holdingOf(walk, posting.market)
  holding.basis = Decimal.add(holding.basis, Ledger.balances([posting]).positions)
  if (found === undefined) {
    yield at("ledger", id, `there is no fill of order ${posting.order} for it`)
    holding.isAdrift = true
  } else {
    const due = yield* booked(walk, holding, found, isOf(posting, "result"))
    const market = marketKey(found.value.fill)
    if (posting.market !== market)
      yield at("ledger", id, `it is of ${posting.market}, its fill ${found.id} of ${market}`)
    if (due !== undefined) yield* Compare.posting(id, found.id, posting, due)
  }
  if (isOver(holding)) yield* completed(walk, `ledger row ${id}`, posting, holding)
}

/**
 * A fill without a posting still moved the position, unless the order was filled already (then the fill is a
 * duplicate).
 */
function* unposted(walk: Walk, row: Row<OrderedFill>): Generator<Finding | Pause> {
  const { fill, order } = row.value
  if (isLeftAlone(walk, row.value)) return
  yield at("fills", row.id, `the ledger has no posting for this fill of order ${fill.order}`)
  const market = marketKey(fill)
  const holding = holdingOf(walk, market)
  const filled = holding.parts.get(fill.order)?.filled ?? Decimal.zero
  if (order === undefined || Decimal.greaterThan(Decimal.add(filled, fill.quantity), order.quantity)) return
  const held = holding.open?.position.quantity ?? Decimal.zero
  if (order.purpose === "exit" && Decimal.lessThan(held, fill.quantity)) return
  yield* booked(walk, holding, row, order.purpose === "exit")
  if (isOver(holding))
    yield* completed(walk, `fill ${row.id}`, { at: fill.at, market, order: order.id }, holding)
}

/** The exchange sold a position that was already out of the books. */
const isLeftAlone = ({ holdings }: Walk, { fill, order }: OrderedFill): boolean =>
  order?.purpose === "exit" && order.live !== undefined && holdings.get(marketKey(fill)) === undefined

const isOver = ({ basis, isAdrift, open }: Holding): boolean => {
  const left = isAdrift ? basis : open?.position.quantity
  return left !== undefined && !Decimal.isPositive(left)
}

/** Books a fill as the bot did. Returns the posting that it makes, if that is known. */
function* booked(
  { late }: Walk,
  holding: Holding,
  { id, value: { fill, order } }: Row<OrderedFill>,
  hasResult: boolean
): Generator<Finding, Ledger.Posting | undefined> {
  const part = holding.parts.get(fill.order) ?? late.get(fill.order)
  const filled = Decimal.add(part?.filled ?? Decimal.zero, fill.quantity)
  const used = Decimal.sum([part?.used ?? Decimal.zero, fill.notional, fill.fee])
  holding.order = fill.order
  holding.parts.set(fill.order, { filled, used })
  if (order !== undefined) holding.isLive = order.live !== undefined
  yield* Compare.fill(id, fill, order, filled)
  if (holding.isAdrift) return undefined
  const before = holding.open?.position
  const market = marketKey(fill)
  if (order === undefined ? !hasResult : order.purpose !== "exit") {
    const opening = order ?? { position: fill.side === "buy" ? "long" : "short" }
    const position =
      before === undefined
        ? Positions.opened(opening, fill)
        : Positions.increased(before, fill, {
            isAnother: part === undefined,
            isAdded: order?.purpose === "entry"
          })
    holding.open = { market: fill, position }
    return Ledger.entry(market, fill)
  }
  if (before === undefined || Decimal.lessThan(before.quantity, fill.quantity)) {
    holding.isAdrift = true
    yield at("fills", id, "it sells more than was held")
    return undefined
  }
  const exited = Positions.decreased(before, fill, order)
  holding.reason = order?.exitReason
  holding.open = { market: fill, position: exited.position }
  return Ledger.exit(market, fill, exited)
}

/** Removes from the books what rounding left (dust) or what no longer exists (a write-off). */
function* swept(
  walk: Walk,
  id: number,
  posting: Caused,
  dueOf: (basis: Decimal.Decimal) => Ledger.Posting
): Generator<Finding | Pause> {
  const holding = holdingOf(walk, posting.market)
  if (holding.open === undefined && !holding.isAdrift)
    yield at("ledger", id, "there is no position to remove")
  if (holding.open !== undefined && !holding.isAdrift) {
    yield* Compare.posting(id, undefined, posting, dueOf(holding.open.position.basis))
  }
  yield* completed(walk, `ledger row ${id}`, posting, holding)
}

/** Dust may be swept after an order without a fill; the books do not hold that order's reason. */
const reasonOf = (holding: Holding, cause: Cause, found: Row<Trade> | undefined) =>
  cause.reason ??
  (holding.order === cause.order ? holding.reason : found?.value.exitReason) ??
  cause.otherwise ??
  "signal"

/** The period of the first trade since capital was paid in. `periods` checks it at the end. */
const periodOf = ({ openings, periods }: Walk, found: Row<Trade> | undefined): number | undefined => {
  if (found !== undefined && !periods.has(openings))
    periods.set(openings, { id: found.id, value: found.value.period ?? 1 })
  const period = periods.get(openings)?.value ?? 1
  return period === 1 ? undefined : period
}

/** The position is closed: its trade must be stored, and enters the tally. */
function* completed(walk: Walk, end: string, cause: Cause, holding: Holding): Generator<Finding | Pause> {
  walk.holdings.delete(cause.market)
  for (const [order, part] of holding.parts) if (walk.inFlight.has(order)) walk.late.set(order, part)
  const open = holding.isAdrift ? undefined : holding.open
  const { found, passed } = yield* walk.trades.seek(
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
      : Positions.completed(open.market, open.position, {
          reason: reasonOf(holding, cause, found),
          at: cause.at,
          period: periodOf(walk, found),
          isLive: holding.isLive ?? found?.value.live === true
        })
  if (due === undefined) return
  walk.tally = Performance.add(walk.tally, due)
  if (found !== undefined) yield* Compare.trade(found, due)
}
