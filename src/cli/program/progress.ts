// Progress bars on standard error: on a terminal only, and never beside JSON that goes to another program. The cursor
// stays visible, so there is nothing to restore after Ctrl-C but the line, which is wiped.
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

/** A piece of long work. */
export interface Work {
  /** What is counted, like `candles`; without `total` what is being done, like `Verifying`. */
  readonly unit: string
  /** Undefined where nobody knows: then only the time so far is shown. */
  readonly total?: number | undefined
  /** Whether the command prints JSON. */
  readonly json: boolean
}

export interface Bar {
  readonly show: (done: number) => void
  readonly clear: () => void
}

/** What a bar is drawn on. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** A bar is redrawn at most this often (ms). */
const REDRAW_MS = 100
/** A guess at the time left is worth nothing before (ms). */
const GUESS_AFTER_MS = 1_000
const BAR_WIDTH = 24
const USUAL_COLUMNS = 80

/** A bar of this process. Call `clear` when the work ends, however it ends. */
export const bar = (work: Work): Effect.Effect<Bar> =>
  Effect.map(Effect.clock, (clock) =>
    isShown(work, process.stderr, process.stdout)
      ? barOn(process.stderr, work, () => clock.unsafeCurrentTimeMillis())
      : NO_BAR
  )

/** Shows a bar while an effect runs: `done` is read a few times a second. */
export const during =
  (work: Work, done: () => number) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(bar(work), ({ clear, show }) => {
      if (show === NO_BAR.show) return self
      const redraw = Effect.repeat(
        Effect.sync(() => show(done())),
        Schedule.spaced(REDRAW_MS)
      )
      return Effect.ensuring(
        Effect.raceFirst(self, Effect.zipRight(redraw, Effect.never)),
        Effect.sync(clear)
      )
    })

const NO_BAR: Bar = { show: () => {}, clear: () => {} }

/** Whether a bar may be drawn on `error`, given where the command's output goes. */
export const isShown = (
  { json }: Pick<Work, "json">,
  error: Pick<Terminal, "isTTY">,
  output: Pick<Terminal, "isTTY">
): boolean => error.isTTY === true && !(json && output.isTTY !== true) && process.env["TERM"] !== "dumb"

/** A bar on a terminal with a clock in ms. */
export const barOn = (terminal: Terminal, work: Work, now: () => number): Bar => {
  const began = now()
  let drawnAt = -Infinity
  let length = 0
  return {
    show: (done) => {
      const at = now()
      if (at - drawnAt < REDRAW_MS) return
      drawnAt = at
      // The last column stays free: a full line would scroll.
      const line = lineOf(work, done, at - began).slice(0, (terminal.columns || USUAL_COLUMNS) - 1)
      terminal.write(`\r${line.padEnd(length)}`)
      length = line.length
    },
    clear: () => {
      if (length > 0) terminal.write(`\r${" ".repeat(length)}\r`)
      length = 0
    }
  }
}

/** The text of a bar: `[######......]  50 %  1,000 of 2,000 candles, 3 s left`. */
export const lineOf = ({ total, unit }: Work, done: number, elapsedMs: number): string => {
  if (total === undefined) return `${unit}, ${inWords(elapsedMs)} so far`
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total))
  const filled = Math.round(share * BAR_WIDTH)
  const drawn = `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}]`
  const isGuessed = elapsedMs >= GUESS_AFTER_MS && share > 0 && share < 1
  const left = isGuessed ? `, ${inWords((elapsedMs / share) * (1 - share))} left` : ""
  const percent = `${Math.floor(share * 100)}`.padStart(3)
  return `${drawn} ${percent} %  ${grouped(Math.min(done, total))} of ${grouped(total)} ${unit}${left}`
}

const grouped = (count: number): string => Math.floor(count).toLocaleString("en")

/** A length of time in its largest one or two units. */
const inWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
