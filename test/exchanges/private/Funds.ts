import * as Decimal from "../../../src/domain/Decimal.ts"
import { refuse } from "./Flaw.ts"

export interface Balance {
  readonly free: Decimal.Decimal
  readonly held: Decimal.Decimal
}

const NONE: Balance = { free: Decimal.zero, held: Decimal.zero }

/** What the account has, exactly. */
export class Funds {
  readonly #balances = new Map<string, Balance>()

  readonly of = (asset: string): Balance => this.#balances.get(asset) ?? NONE

  readonly total = (asset: string): Decimal.Decimal => {
    const { free, held } = this.of(asset)
    return Decimal.add(free, held)
  }

  /** By asset, also those of which nothing is left. */
  get all(): ReadonlyMap<string, Balance> {
    return this.#balances
  }

  /** By hand: a deposit, a withdrawal, a coin sold elsewhere. `"12.5"`, `"-3"`. */
  readonly change = (asset: string, by: string | Decimal.Decimal): void => {
    const { free, held } = this.of(asset)
    const more = typeof by === "string" ? Decimal.unsafeFromText(by) : by
    this.#balances.set(asset, { free: Decimal.add(free, more), held })
  }

  readonly set = (asset: string, free: string): void => {
    this.#balances.set(asset, { free: Decimal.unsafeFromText(free), held: this.of(asset).held })
  }

  /** Puts aside; refuses what is not there. */
  readonly hold = (asset: string, amount: Decimal.Decimal): void => {
    const { free, held } = this.of(asset)
    if (Decimal.lessThan(free, amount)) refuse("insufficient")
    this.#balances.set(asset, { free: Decimal.subtract(free, amount), held: Decimal.add(held, amount) })
  }

  readonly release = (asset: string, amount: Decimal.Decimal): void => {
    const { free, held } = this.of(asset)
    this.#balances.set(asset, { free: Decimal.add(free, amount), held: Decimal.subtract(held, amount) })
  }
}
