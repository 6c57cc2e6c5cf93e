// Questions to the thread of the price feeds for pages of candles, each with its one answer.
import * as Effect from "effect/Effect"
import type { CandleSeries } from "../../domain/candles/CandleSeries.ts"
import { PageFailed } from "../../services/feeds/CandlePages.ts"
import type { Bar } from "../../trading/indicators/Plan.ts"
import { CANDLE_ROW, type PageAnswer, type PageQuestion } from "../streaming/Wire.ts"

/** How long a thread may take to answer (ms). */
const ANSWER_MS = 15_000

/** Asks for the candles of a series that open from `from` on and before `until` (ms): at most a page. */
export type AskPage = (
  series: CandleSeries,
  from: number,
  until: number
) => Effect.Effect<ReadonlyArray<Bar>, PageFailed>

type Resume = (answer: Effect.Effect<ReadonlyArray<Bar>, PageFailed>) => void

/** The open questions. */
export class PageQuestions {
  readonly #open = new Map<number, Resume>()
  #last = 0
  #send: ((question: PageQuestion) => void) | undefined

  /** A thread answers from now on; none does where it is undefined. Questions to the one before fail. */
  through(send: ((question: PageQuestion) => void) | undefined): void {
    this.#send = send
    for (const resume of this.#open.values()) resume(Effect.fail(passing("its thread ended")))
    this.#open.clear()
  }

  /** Takes an answer in; one that is not waited for any more is dropped. */
  answered({ failure, question, rows }: PageAnswer): void {
    const resume = this.#open.get(question)
    this.#open.delete(question)
    resume?.(failure === undefined ? Effect.succeed(barsOf(rows)) : Effect.fail(new PageFailed(failure)))
  }

  readonly ask: AskPage = (series, from, until) =>
    Effect.async<ReadonlyArray<Bar>, PageFailed>((resume) => {
      if (this.#send === undefined) return resume(Effect.fail(passing("its prices are not watched yet")))
      this.#last++
      const question = this.#last
      this.#open.set(question, resume)
      this.#send({ question, series, from, until })
      return Effect.sync(() => this.#open.delete(question))
    }).pipe(Effect.timeoutFail({ duration: ANSWER_MS, onTimeout: () => passing("it does not answer") }))
}

const passing = (reason: string) => new PageFailed({ reason, pauseMs: 0, kind: "passing" })

const barsOf = (rows: Float64Array = new Float64Array()): ReadonlyArray<Bar> =>
  Array.from({ length: rows.length / CANDLE_ROW }, (_, row) => {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = rows.subarray(row * CANDLE_ROW)
    return { at, open, high, low, close, volume }
  })
