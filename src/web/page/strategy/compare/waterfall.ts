// The way from the test's result to the real one: each part of the difference moves on from the one before. Pure.
import type { Answer } from "../../wire.ts"

export type Comparison = NonNullable<Answer<"backtests", "compare">["comparison"]>
export type ComparedTrade = Comparison["trades"][number]

/** A row: a result, which stands by itself, or a part, which begins where the row before ended. */
export interface Step {
  readonly key: string
  readonly label: string
  readonly text: string
  readonly amount: number
  readonly trades: number
  readonly isResult: boolean
  /** Where its bar begins, and how wide it is, in percent of the whole width. */
  readonly x: number
  readonly width: number
}

/** The rows: the test, the parts that are not 0, the rest that they leave, and what really happened. */
export const stepsOf = ({ live, mode, parts, remainder, test, trades }: Comparison): ReadonlyArray<Step> => {
  const moves = [
    ...parts.filter(({ amount }) => amount !== 0),
    { ...REST, amount: remainder, trades: trades.filter((trade) => trade.remainder !== 0).length }
  ]
  let at = test.pnl
  const placed = moves.map((move) => {
    const from = at
    at += move.amount
    return {
      key: move.part,
      label: move.label,
      text: move.text,
      amount: move.amount,
      trades: move.trades,
      from,
      to: at
    }
  })
  const ends = [0, test.pnl, live.pnl, ...placed.map(({ to }) => to)]
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const scale = high === low ? 0 : 100 / (high - low)
  const barOf = (from: number, to: number) => ({
    x: (Math.min(from, to) - low) * scale,
    width: Math.abs(to - from) * scale
  })
  const result = (key: string, label: string, of: Comparison["test"]): Step => ({
    ...{ key, label, text: "net result of completed trades", amount: of.pnl, trades: of.trades },
    ...{ isResult: true, ...barOf(0, of.pnl) }
  })
  return [
    result("test", "In the test", test),
    ...placed.map(({ from, to, ...step }) => ({ ...step, isResult: false, ...barOf(from, to) })),
    result("live", mode === "live" ? "With real money" : "On paper", live)
  ]
}

const REST = {
  part: "remainder",
  label: "The rest",
  text: "what no part explains: the test decides otherwise even at the real moments and prices"
}

/** When a trade began, on the side that has it. */
export const openedAt = ({ live, test }: ComparedTrade): number => live?.opened_at ?? test?.opened_at ?? 0

/** The parts of a trade's difference that are not 0, the largest first. */
export const reasonsOf = (
  trade: ComparedTrade,
  parts: Comparison["parts"]
): ReadonlyArray<{ readonly label: string; readonly amount: number }> =>
  [
    ...parts.map(({ label, part }) => ({ label, amount: trade.parts[part] ?? 0 })),
    { label: REST.label, amount: trade.remainder }
  ]
    .filter(({ amount }) => amount !== 0)
    .sort((one, other) => Math.abs(other.amount) - Math.abs(one.amount))
