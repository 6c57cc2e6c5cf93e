// The terms of arming as they are typed, and how they become a request: pure.
import { isPrice } from "../../../../domain/requests/Bounds.ts"
import { commaHint, numberOf } from "../../parts/number.ts"
import type { Answer, Request } from "../../wire.ts"

/** As it is typed. Nothing is filled in for anybody: it is their money. */
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
/** What is to be agreed to. */
export type Proposal = NonNullable<Answer<"live", "arm">["confirmation"]>
/** What is wrong, by field. */
export type TermErrors = Readonly<Record<string, ReadonlyArray<string>>>

const AMOUNTS = ["capital", "max_order", "max_daily_loss"] as const

/** What is sent for a draft, or what is wrong with it by field. What the server alone can judge is left to it. */
export const termsOf = (draft: Draft): { readonly terms: Terms } | { readonly flaws: TermErrors } => {
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
    flaws: {
      ...(account === undefined ? { account: ["choose the account to trade with"] } : {}),
      ...Object.fromEntries(errors.map((name) => [name, [errorOf(draft[name])]]))
    }
  }
}

const isAmount = (value: number | undefined): value is number => value !== undefined && isPrice(value)

const errorOf = (text: string): string =>
  text.trim() === "" ? "is required" : `must be an amount above 0 and at most 1e12${commaHint(text)}`

/** Whether somebody typed a name: how many blanks stand between its words is nobody's matter. */
export const isNamed = (typed: string, name: string): boolean => plain(typed) === plain(name)
const plain = (text: string): string => text.normalize("NFC").replace(/\s+/g, " ").trim()
