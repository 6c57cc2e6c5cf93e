// Compares a bot's position with its chart's, message by message.
import type { MarketKind } from "../../../src/domain/Market.ts"
import type { Fill } from "../../lib/pine/Broker.ts"

/** A spot market holds nothing below zero. */
const heldOf = (size: number, kind: MarketKind) => (kind === "spot" ? Math.max(size, 0) : size)

const wordOf = (size: number) => (size > 0 ? "long" : size < 0 ? "short" : "flat")

export class Gauge {
  readonly #kind: MarketKind
  readonly #step: number
  readonly #differences: Array<string> = []
  readonly #kinds = new Map<string, number>()
  #apart = 0
  /** What the bot holds for one contract of the chart, since the position was opened. */
  #perContract = 0
  /** How often the position changed since then: each time may round by one step. */
  #changes = 0

  constructor(kind: MarketKind, step: number) {
    this.#kind = kind
    this.#step = step
  }

  /** Compares after one message; `held` is the bot's signed quantity. */
  compare(fill: Fill, reason: string, held: number): void {
    this.#kinds.set(reason, (this.#kinds.get(reason) ?? 0) + 1)
    const before = heldOf(fill.before, this.#kind)
    const after = heldOf(fill.after, this.#kind)
    const where = `${fill.id} ${fill.before} -> ${fill.after} (${reason})`
    if (Math.sign(after) !== Math.sign(held)) {
      this.#differences.push(`${where}: the chart is ${wordOf(after)}, the bot ${wordOf(held)} ${held}`)
      return
    }
    if (after === 0) return
    if (Math.sign(before) !== Math.sign(after)) {
      this.#perContract = held / after
      this.#changes = 0
      return
    }
    this.#changes++
    const apart = Math.abs(held - after * this.#perContract) / this.#step
    this.#apart = Math.max(this.#apart, apart)
    if (apart > this.#changes + 1e-6)
      this.#differences.push(`${where}: the bot holds ${held}, not ${after * this.#perContract}`)
  }

  get result() {
    const kinds = [...this.#kinds].map(([reason, count]) => `${count} ${reason}`).join(", ")
    return { apart: this.#apart, kinds, differences: this.#differences }
  }
}
