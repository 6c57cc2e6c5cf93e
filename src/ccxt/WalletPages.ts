// The pages in which an exchange returns the balances of an account.
import { fieldOf } from "./Field.ts"

/** An exchange's pages of balances. */
export interface WalletPages {
  /**
   * Whether a page of raw balances is the last, or where the next starts. Undefined for a malformed page: there may be
   * more than it shows.
   */
  readonly page: (info: unknown) => "last" | { readonly from: string } | undefined
  /** The asset that is spent for this one, if the exchange keeps assets under other names. */
  readonly spentAs: ((asset: string) => string) | undefined
}

/** Balances in a single answer, as the list at this path. */
export const onePage = (...path: ReadonlyArray<string>): WalletPages => ({
  page: (info) => {
    const list = path.reduce<unknown>((value, name) => fieldOf(value, name), info)
    return Array.isArray(list) ? "last" : undefined
  },
  spentAs: undefined
})
