// The terms of arming as typed, checked, and turned into a request. Pure.
import { isPrice } from "../../../../domain/requests/Bounds.ts"
import { ambiguityHint, numberOf } from "../../parts/reader/number.ts"
import type { Answer, Request } from "../../wire.ts"

/** The form's values. Nothing has a default, because it is the user's money. */
export interface Draft {
  readonly account: string
  readonly capital: string
  readonly max_order: string
  readonly max_daily_loss: string
  readonly protective_stop: boolean
}
export const BLANK: Draft = {
  account: "",
  capital: "",
  max_order: "",
  max_daily_loss: "",
  protective_stop: false
}

export type Terms = Request<"live", "arm">["payload"]
/** The server's proposal, which the user confirms. */
export type Proposal = NonNullable<Answer<"live", "arm">["confirmation"]>
/** Errors by field. */
export type TermErrors = Readonly<Record<string, ReadonlyArray<string>>>

const AMOUNTS = ["capital", "max_order", "max_daily_loss"] as const

/** The request of a draft, or its errors. The server checks what only it can know. */
export const termsOf = (draft: Draft): { readonly terms: Terms } | { readonly errors: TermErrors } => {
  const account = numberOf(draft.account)
  const [capital, order, loss] = AMOUNTS.map((name) => numberOf(draft[name]))
  if (account !== undefined && isAmount(capital) && isAmount(order) && isAmount(loss))
    return {
      terms: {
        account,
        capital,
        max_order: order,
        max_daily_loss: loss,
        protective_stop: draft.protective_stop
      }
    }
  const errors = AMOUNTS.filter((name) => !isAmount(numberOf(draft[name])))
  return {
    errors: {
      ...(account === undefined ? { account: ["choose the account to trade with"] } : {}),
      ...Object.fromEntries(errors.map((name) => [name, [errorOf(draft[name])]]))
    }
  }
}

const isAmount = (value: number | undefined): value is number => value !== undefined && isPrice(value)

const errorOf = (text: string): string =>
  text.trim() === "" ? "is required" : `must be an amount above 0 and at most 1e12${ambiguityHint(text)}`

/** Whether the typed name is the strategy's; the number of spaces between words does not matter. */
export const isNamed = (typed: string, name: string): boolean => plain(typed) === plain(name)
const plain = (text: string): string => text.normalize("NFC").replace(/\s+/g, " ").trim()
