// Why a strategy never opens a position, whatever alerts come, and what mends it. Pure.

/** The facts of a strategy that decide it. `equity` in its quote currency. */
export interface Facts {
  readonly signal_id: number | null
  readonly pairs_total: number
  /** The pairs, or the first of them. */
  readonly pairs: ReadonlyArray<string>
  readonly currency: string
  readonly equity: number
  readonly open_positions: number
}

export interface Idle {
  readonly code: "no_signal" | "no_pair" | "other_currency" | "no_balance"
  /** As a badge. */
  readonly title: string
  /** As a sentence, which says what mends it. */
  readonly text: string
}

/** Every reason why a strategy never enters. */
export const idle = ({
  currency,
  equity,
  open_positions,
  pairs,
  pairs_total,
  signal_id
}: Facts): ReadonlyArray<Idle> => {
  const found: Array<Idle> = []
  if (signal_id === null) found.push(NO_SIGNAL)
  if (pairs_total === 0)
    found.push({ code: "no_pair", title: "no pair", text: "It lists no pair: choose one." })
  const isForeign = (pair: string) => !pair.endsWith(`/${currency}`)
  if (pairs_total > 0 && pairs.length >= pairs_total && pairs.every(isForeign))
    found.push({
      code: "other_currency",
      title: `no pair in ${currency}`,
      text: `None of its pairs is quoted in ${currency}, the currency of its balance: choose one, or another currency.`
    })
  if (equity <= 0 && open_positions === 0)
    found.push({
      code: "no_balance",
      title: "no balance",
      text: "It has nothing to buy with: choose a quote currency in which it has a balance."
    })
  return found
}

const NO_SIGNAL: Idle = {
  code: "no_signal",
  title: "no signal",
  text: "It follows no signal, so no alert reaches it and it never enters: choose a signal."
}
