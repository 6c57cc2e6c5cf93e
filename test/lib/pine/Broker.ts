// The broker emulator of a charting platform, written from the public documentation of `strategy.entry`,
// `strategy.order`, `strategy.exit` and `strategy.close`: orders fill at the next bar's open or within the bar, an entry
// turns an opposite position by default, and each fill tells the position before and after it.

export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export type Direction = "long" | "short"
export type Action = "buy" | "sell"

/** An order fill. Sizes are of the whole position, signed: below zero is short. */
export interface Fill {
  readonly time: number
  readonly id: string
  readonly action: Action
  readonly contracts: number
  readonly price: number
  readonly before: number
  readonly after: number
}

/** An exit order waits for its price, for entries with an id or for all. A bar after it is placed it may fill. */
export interface ExitWish {
  readonly id: string
  readonly fromEntry?: string
  /** Percent of the entries that it is for, as they are when it is first placed. */
  readonly qtyPercent?: number
  readonly limit?: number
  readonly stop?: number
}

interface MarketOrder {
  readonly kind: "entry" | "order" | "close"
  readonly id: string
  readonly direction: Direction
  readonly quantity: number
}
interface ExitOrder extends ExitWish {
  readonly quantity: number
}
interface Lot {
  readonly entry: string
  quantity: number
}

export interface Options {
  /** Entries allowed in one direction. */
  readonly pyramiding: number
  /** Contracts of an entry without a quantity. */
  readonly quantity: number
}

const DUST = 1e-9
const signOf = (direction: Direction) => (direction === "long" ? 1 : -1)
const rounded = (quantity: number) => Number(quantity.toFixed(8))

/** One strategy's orders, position and fills. */
export class Broker {
  readonly fills: Array<Fill> = []
  private readonly options: Options
  private sign = 0
  private lots: Array<Lot> = []
  private market: Array<MarketOrder> = []
  private exits: Array<ExitOrder> = []
  /** Exit ids that have filled since the position was opened: each does so once. */
  private readonly used = new Set<string>()

  constructor(options: Options) {
    this.options = options
  }

  /** The position's size, below zero for a short. */
  get size(): number {
    return rounded(this.sign * this.lots.reduce((sum, { quantity }) => sum + quantity, 0))
  }

  /** `strategy.entry`: opens, adds while pyramiding allows it, or turns an opposite position. */
  entry(id: string, direction: Direction, quantity = this.options.quantity): void {
    this.place({ kind: "entry", id, direction, quantity })
  }

  /** `strategy.order`: a plain order, bound by no pyramiding; it turns nothing beyond its own size. */
  order(id: string, direction: Direction, quantity = this.options.quantity): void {
    this.place({ kind: "order", id, direction, quantity })
  }

  /** `strategy.close`: market exit of a percentage of the entries with this id, or of all. */
  close(id: string, qtyPercent = 100, fromEntry?: string): void {
    const quantity = rounded((this.heldOf(fromEntry) * qtyPercent) / 100)
    const direction = this.sign > 0 ? "short" : "long"
    if (quantity > 0) this.place({ kind: "close", id, direction, quantity })
  }

  /** `strategy.exit`: called on each bar, it moves the prices of the order that waits under its id. */
  exit(wish: ExitWish): void {
    const old = this.exits.find(({ id }) => id === wish.id)
    this.exits = this.exits.filter(({ id }) => id !== wish.id)
    if (this.sign === 0 || this.used.has(wish.id)) return
    const reserved = this.exits.reduce((sum, { quantity }) => sum + quantity, 0)
    const wanted = (this.heldOf(wish.fromEntry) * (wish.qtyPercent ?? 100)) / 100
    const quantity = old?.quantity ?? rounded(Math.min(wanted, Math.abs(this.size) - reserved))
    if (quantity > DUST) this.exits.push({ ...wish, quantity })
  }

  /** Fills what a bar fills: market orders at its open, exits along open, the nearer extreme, the other, close. */
  bar(bar: Bar): void {
    const orders = this.market
    this.market = []
    for (const order of orders) this.fillMarket(order, bar)
    const { close, high, low, open } = bar
    const points = high - open < open - low ? [open, high, low, close] : [open, low, high, close]
    let from = open
    for (const to of points) {
      this.fillExits(from, to, bar)
      from = to
    }
  }

  private place(order: MarketOrder): void {
    this.market = [...this.market.filter(({ id }) => id !== order.id), order]
  }

  private heldOf(entry: string | undefined): number {
    return this.lots.reduce(
      (sum, lot) => (entry === undefined || lot.entry === entry ? sum + lot.quantity : sum),
      0
    )
  }

  private fillMarket({ direction, id, kind, quantity }: MarketOrder, { open, time }: Bar): void {
    const sign = signOf(direction)
    const held = Math.abs(this.size)
    const isOpposite = this.sign === -sign
    if (kind === "close" && !isOpposite) return
    if (kind === "entry" && this.sign === sign && this.lots.length >= this.options.pyramiding) return
    const wanted = kind === "entry" && isOpposite ? held + quantity : quantity
    this.fill(id, sign, kind === "close" ? Math.min(quantity, held) : wanted, { price: open, time })
  }

  private fillExits(from: number, to: number, { time }: Bar): void {
    const [low, high] = [Math.min(from, to), Math.max(from, to)]
    for (const exit of this.exits) {
      if (this.sign === 0 || !this.exits.includes(exit)) continue
      const isLong = this.sign > 0
      const beyond = (level: number | undefined, isUp: boolean) =>
        level !== undefined && (isUp ? high >= level : low <= level)
      const isLimit = beyond(exit.limit, isLong)
      if (!isLimit && !beyond(exit.stop, !isLong)) continue
      const level = (isLimit ? exit.limit : exit.stop) ?? to
      // An open beyond the level fills there; within the bar the level itself does.
      const price = Math.min(high, Math.max(low, level))
      this.used.add(exit.id)
      this.exits = this.exits.filter(({ id }) => id !== exit.id)
      this.fill(exit.id, -this.sign, Math.min(exit.quantity, Math.abs(this.size)), { price, time })
    }
  }

  /** Moves the position: first in, first out, and what is over opens the other side. */
  private fill(id: string, sign: number, contracts: number, at: Pick<Fill, "price" | "time">): void {
    const before = this.size
    let left = contracts
    while (this.sign === -sign && left > DUST) {
      const [first] = this.lots
      if (first === undefined) break
      const taken = Math.min(first.quantity, left)
      first.quantity = rounded(first.quantity - taken)
      left = rounded(left - taken)
      if (first.quantity <= DUST) this.lots.shift()
      if (this.lots.length === 0) this.flatten()
    }
    if (left > DUST) {
      this.sign = sign
      this.lots.push({ entry: id, quantity: rounded(left) })
    }
    if (contracts <= DUST) return
    this.fills.push({
      ...at,
      id,
      action: sign > 0 ? "buy" : "sell",
      contracts: rounded(contracts),
      before,
      after: this.size
    })
  }

  private flatten(): void {
    this.sign = 0
    this.exits = []
    this.used.clear()
  }
}
