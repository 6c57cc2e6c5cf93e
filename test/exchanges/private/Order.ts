import * as Decimal from "../../../src/domain/Decimal.ts"
import type { StubMarket } from "../Protocol.ts"

export type Side = "buy" | "sell"

/** What a client asks for. Exactly one of `amount` (of the base asset) and `cost` (of the quote asset) is there. */
export interface Ticket {
  readonly market: StubMarket
  readonly side: Side
  readonly type: "market" | "limit"
  readonly amount?: Decimal.Decimal | undefined
  readonly cost?: Decimal.Decimal | undefined
  readonly price?: Decimal.Decimal | undefined
  /** Waits until the last price is there: at or above it where `rising`, else at or below it. */
  readonly trigger?: { readonly price: Decimal.Decimal; readonly rising: boolean } | undefined
  readonly tif?: "gtc" | "ioc" | "fok" | "post_only" | undefined
  readonly reduceOnly?: boolean | undefined
  readonly clientId?: string | undefined
}

/** A part of an order that was traded. */
export interface Fill {
  readonly id: string
  readonly order: Order
  readonly price: Decimal.Decimal
  readonly amount: Decimal.Decimal
  readonly cost: Decimal.Decimal
  readonly fee: Decimal.Decimal
  readonly feeAsset: string
  readonly feeRate: Decimal.Decimal
  readonly isMaker: boolean
  readonly at: number
  /** Told to nobody before. */
  readonly visibleFrom: number
}

export type Status = "waiting" | "open" | "filled" | "cancelled"

/** An order that the exchange has accepted. */
export class Order {
  readonly ticket: Ticket
  readonly id: string
  /** 1, 2, 3 ... in the order of acceptance. */
  readonly number: number
  readonly createdAt: number
  /** Looked up before, it is not there. */
  readonly visibleFrom: number
  status: Status
  /** What waited for a price does not any more. */
  wentOff = false
  updatedAt: number
  filled: Decimal.Decimal = Decimal.zero
  paid: Decimal.Decimal = Decimal.zero
  /** What is put aside for it, of the asset that it spends. */
  held: Decimal.Decimal = Decimal.zero
  readonly fills: Array<Fill> = []

  constructor(ticket: Ticket, id: string, number: number, now: number, visibleFrom: number) {
    this.ticket = ticket
    this.id = id
    this.number = number
    this.createdAt = now
    this.updatedAt = now
    this.visibleFrom = visibleFrom
    this.status = ticket.trigger === undefined ? "open" : "waiting"
  }

  get isDone(): boolean {
    return this.status === "filled" || this.status === "cancelled"
  }

  get isPartial(): boolean {
    return Decimal.isPositive(this.filled) && this.status !== "filled"
  }

  /** Undefined before anything was traded. */
  get average(): Decimal.Decimal | undefined {
    return Decimal.isZero(this.filled) ? undefined : Decimal.divide(this.paid, this.filled)
  }

  /** Of the asset that its fills took fees in. */
  get fee(): Decimal.Decimal {
    return Decimal.sum(this.fills.map(({ fee }) => fee))
  }

  get feeAsset(): string | undefined {
    return this.fills[0]?.feeAsset
  }

  /** What was asked for in the base asset; what an order by cost has come to so far. */
  get amount(): Decimal.Decimal {
    return this.ticket.amount ?? this.filled
  }

  get rest(): Decimal.Decimal {
    return Decimal.subtract(this.amount, this.filled)
  }
}
