// Reads an account's balances to the last page. A partial answer is never taken for the whole.
import * as Effect from "effect/Effect"
import { descriptors } from "../../ccxt/descriptors.ts"
import { fieldOf } from "../../ccxt/Field.ts"
import type { TradingClient } from "../../ccxt/TradingClient.ts"
import * as Decimal from "../../domain/Decimal.ts"
import type { KnownExchange } from "../../domain/Market.ts"
import type { Balance, Wallet } from "../../services/money/Wallets.ts"
import type { Priority } from "../gate/Priority.ts"
import * as Contracts from "./Contracts.ts"

/** The balances read so far (see `Wallet`). */
export type Held = Pick<Wallet, "balances" | "isWhole"> & Required<Pick<Wallet, "unread">>

/** The part of a connection that reads them. */
export interface Asking<E> {
  readonly venue: { readonly exchange: KnownExchange }
  readonly ask: (
    priority: Priority,
    request: (ccxt: TradingClient) => Promise<unknown>
  ) => Effect.Effect<unknown, E>
}

/** The most pages: 10,000 wallets at 250 a page, several times the assets of any exchange. */
const MOST_PAGES = 40

/** Reads all pages, one request each; undefined if an answer is unreadable. */
export const held = Effect.fn("Balances.held")(function* <E>(
  { ask, venue }: Asking<E>,
  priority: Priority = "balance"
) {
  const { wallet } = descriptors[venue.exchange]
  const balances = new Map<string, Balance>()
  const unread = new Set<string>()
  let from: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = from === undefined ? {} : { cursor: from }
    const answer = yield* ask(priority, (ccxt) => ccxt.fetchBalance(params))
    const rows = rowsOf(answer)
    if (rows === undefined) return undefined
    for (const [name, balance] of rows) {
      const asset = wallet.spentAs?.(name) ?? name
      if (balance === undefined) unread.add(asset)
      else balances.set(asset, sum(balances.get(asset), balance))
    }
    const after = wallet.page(fieldOf(answer, "info"))
    if (after === "last") return { balances, isWhole: true, unread } satisfies Held
    if (after === undefined || after.from === from) break
    from = after.from
  }
  return { balances, isWhole: false, unread } satisfies Held
})

/** The rows of an answer by asset in upper case, undefined without an amount; undefined if it is no answer. */
const rowsOf = (answer: unknown): ReadonlyArray<readonly [string, Balance | undefined]> | undefined => {
  const totals = fieldOf(answer, "total")
  const frees = fieldOf(answer, "free")
  if (typeof totals !== "object" || totals === null) return undefined
  return Object.entries(totals).map(([asset, text]) => {
    const reported = Contracts.decimalOf(fieldOf(frees, asset))
    const total = Contracts.decimalOf(text) ?? reported
    // A missing free amount counts as zero.
    return [asset.toUpperCase(), total === undefined ? undefined : { free: reported ?? Decimal.zero, total }]
  })
}

/** An asset may be in several wallets. */
const sum = (before: Balance | undefined, { free, total }: Balance): Balance =>
  before === undefined
    ? { free, total }
    : { free: Decimal.add(before.free, free), total: Decimal.add(before.total, total) }
