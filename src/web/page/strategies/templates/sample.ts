// What a template's sample chart shows, as plain data: where candles, alerts and fills stand, and what they are called.
// The numbers come from samples.json, which the product's back-test wrote (scripts/samples.ts). Pure.
import type { TemplateKey } from "../../../../domain/requests/StrategyTemplates.ts"
import * as Format from "../../parts/format.ts"
import { exitTitle } from "../../strategy/board.ts"
import samples from "./samples.json"

/** A fill of a sample. Times in seconds. */
interface SampleFill {
  readonly at: number
  readonly role: string
  readonly side: string
  readonly price: number
  readonly exit_reason: string | null
}

/** A template's sample. Candles are time, open, high, low and close; times in seconds. */
export interface Sample {
  readonly interval_seconds: number
  readonly candles: ReadonlyArray<ReadonlyArray<number>>
  readonly alerts: ReadonlyArray<ReadonlyArray<number | string>>
  readonly fills: ReadonlyArray<SampleFill>
  readonly trades: ReadonlyArray<{
    readonly closed_at: number
    readonly exit_reason: string
    readonly profit_pct: number
  }>
}

/** The sample of a template. */
export const sampleOf = (key: TemplateKey): Sample => samples[key]

/** An alert or a fill, as a line of the list below a chart. */
export interface SampleEvent {
  readonly at: number
  readonly tone: "quiet" | "accent" | "good" | "bad"
  /** In a word or two, for the chart. */
  readonly label: string
  /** As a sentence. */
  readonly text: string
  /** Absent for an alert. */
  readonly fill?: SampleFill
}

/** Everything that happens in a sample, oldest first; an alert stands before what it causes. */
export const eventsOf = (sample: Sample): ReadonlyArray<SampleEvent> => {
  const alerts = sample.alerts.map(
    ([at, type]): SampleEvent => ({
      at: Number(at),
      tone: "quiet",
      label: `alert: ${type}`,
      text: `The signal sends an alert: ${type}`
    })
  )
  let extra = 0
  const fills = sample.fills.map((fill): SampleEvent => {
    extra = fill.role === "open" ? 0 : extra + (fill.role === "average" ? 1 : 0)
    return { at: fill.at, fill, ...wordsOf(sample, fill, extra) }
  })
  return [...alerts, ...fills].toSorted((left, right) => left.at - right.at)
}

const wordsOf = (sample: Sample, fill: SampleFill, extra: number): Omit<SampleEvent, "at" | "fill"> => {
  const price = Format.price(fill.price)
  if (fill.role === "open") return { tone: "accent", label: "buys", text: `Buys at ${price}` }
  if (fill.role === "average")
    return { tone: "accent", label: `DCA ${extra}`, text: `Buys more at ${price}: extra entry ${extra}` }
  const why = exitTitle(fill.exit_reason ?? "exit")
  if (fill.role === "part") return { tone: "good", label: "part", text: `${why}: sells a part at ${price}` }
  const profit = sample.trades.find(({ closed_at }) => closed_at === fill.at)?.profit_pct
  const made = profit === undefined ? "" : Format.percent(profit, true)
  const tone = profit !== undefined && profit < 0 ? "bad" : "good"
  return {
    tone,
    label: `sells ${made}`,
    text: `${why}: sells ${extra > 0 ? "everything" : "the rest"} at ${price}, the trade makes ${made}`
  }
}
