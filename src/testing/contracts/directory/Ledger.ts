// A strategy's books for the contract suites: trades and periods as the engine commits them, with a tally that fits.
import * as Effect from "effect/Effect"
import { ExchangeAccountId } from "../../../domain/Arming.ts"
import { unsafeFromText as decimal, fromNumber, round } from "../../../domain/Decimal.ts"
import type { Mode } from "../../../domain/directory/TrackRecord.ts"
import type { Strategy } from "../../../domain/Strategy.ts"
import { Portfolio } from "../../../services/Portfolio.ts"
import { opening } from "../../../trading/books/Ledger.ts"
import * as Performance from "../../../trading/Performance.ts"
import { trade } from "../../Fixtures.ts"
import * as Steps from "../steps.ts"

const BALANCE = decimal("10000")

/** A strategy's books: what it commits, one after the other. */
export interface Books {
  /** Commits a completed trade with a result (quote), opened and closed at times (ms). */
  readonly trade: (result: number, openedAt: number, closedAt: number) => Effect.Effect<void>
  /** Begins a new period at a time (ms). */
  readonly begin: (mode: Mode, at: number) => Effect.Effect<void>
}

/** Opens the books of a new strategy, on paper, at a time (ms). */
export const open = (strategy: Strategy, at: number): Effect.Effect<Books, never, Portfolio> =>
  Effect.gen(function* () {
    const portfolio = yield* Portfolio
    let mode: Mode = "paper"
    let period = 1
    let number = 0
    let tally = Performance.begin(BALANCE, at)

    const bot = () =>
      Steps.bot(strategy.id, ++number, {
        ...(mode === "paper" ? {} : { live: { ...TERMS, since: tally.createdAt } }),
        ...(period === 1 ? {} : { period })
      })
    const commit = (changes: Parameters<typeof Steps.step>[2]) =>
      Effect.suspend(() =>
        portfolio.commit([Steps.step(strategy, 0, { bot: { ...bot(), tally }, ...changes })])
      )
    const deposit = (time: number) => commit({ postings: [opening(BALANCE, time)] })
    yield* deposit(at)
    return {
      trade: (result, openedAt, closedAt) =>
        Effect.suspend(() => {
          const made = trade({
            openedAt,
            closedAt,
            pnl: round(fromNumber(result), 8),
            ...(mode === "paper" ? {} : { live: true }),
            ...(period === 1 ? {} : { period })
          })
          tally = Performance.add(tally, made)
          return commit({ trades: [made] })
        }),
      begin: (next, time) =>
        Effect.suspend(() => {
          mode = next
          period++
          tally = Performance.begin(BALANCE, time)
          return deposit(time)
        })
    }
  })

const TERMS = {
  account: ExchangeAccountId.make(1),
  capital: BALANCE,
  maxOrder: BALANCE,
  maxDailyLoss: BALANCE,
  protect: false,
  tag: "0123456789abcdef"
}
