// Progress bars on standard error: on a terminal only, and never beside JSON that goes to another program. The cursor
// stays visible, so there is nothing to restore after Ctrl-C but the line, which is wiped.
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as LongWork from "../../sql/client/LongWork.ts"

/** A piece of long work. */
export interface Work {
  /** What is counted, like `candles`. */
  readonly unit: string
  readonly total: number
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
  readonly rows?: number
  readonly write: (text: string) => unknown
}

/** A bar is redrawn at most this often (ms). */
const REDRAW_MS = 100
/** A guess at the time left is worth nothing before (ms). */
const GUESS_AFTER_MS = 1_000
const BAR_WIDTH = 24
export const USUAL_COLUMNS = 80

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
  const { clear, draw } = lineOn(terminal)
  let drawnAt = -Infinity
  return {
    show: (done) => {
      const at = now()
      if (at - drawnAt < REDRAW_MS) return
      drawnAt = at
      draw(lineOf(work, done, at - began))
    },
    clear
  }
}

/** A line at the end of a terminal that is drawn again and again. The last column stays free: a full line would scroll. */
const lineOn = (terminal: Terminal) => {
  let length = 0
  return {
    draw: (text: string) => {
      const line = text.slice(0, (terminal.columns || USUAL_COLUMNS) - 1)
      terminal.write(`\r${line.padEnd(length)}`)
      length = line.length
    },
    clear: () => {
      if (length > 0) terminal.write(`\r${" ".repeat(length)}\r`)
      length = 0
    }
  }
}

/** Shows the long work on databases that an effect does: verifying, copying, bringing them up to date. */
export const ofDatabases =
  (json: boolean) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.clock, (clock) => {
      if (!isShown({ json }, process.stderr, process.stdout)) return self
      const { clear, listen } = stepsOn(process.stderr, () => clock.unsafeCurrentTimeMillis())
      return Effect.ensuring(Effect.locally(self, LongWork.listener, listen), Effect.sync(clear))
    })

/** Draws the steps of long work, and wipes the line when the work has ended. */
export const stepsOn = (terminal: Terminal, now: () => number) => {
  const { clear, draw } = lineOn(terminal)
  let began: number | undefined
  let drawnAt = -Infinity
  let drawn = ""
  const listen: LongWork.Listener = ({ done, total, words }) => {
    const at = now()
    if (done >= total) {
      began = undefined
      drawn = ""
      return clear()
    }
    began ??= at
    if (words === drawn && at - drawnAt < REDRAW_MS) return
    drawnAt = at
    drawn = words
    draw(`${drawing(done / total)}  ${words}${leftOf(done / total, at - began)}`)
  }
  return { listen, clear }
}

/** The text of a bar: `[######......]  50 %  1,000 of 2,000 candles, 3 s left`. */
export const lineOf = ({ total, unit }: Work, done: number, elapsedMs: number): string => {
  const share = total <= 0 ? 1 : Math.min(1, Math.max(0, done / total))
  const counts = `${grouped(Math.min(done, total))} of ${grouped(total)} ${unit}`
  return `${drawing(share)}  ${counts}${leftOf(share, elapsedMs)}`
}

/** A bar of a share from 0 to 1, with its percentage. @internal */
export const drawing = (share: number): string => {
  const filled = Math.round(share * BAR_WIDTH)
  const percent = `${Math.floor(share * 100)}`.padStart(3)
  return `[${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${percent} %`
}

const leftOf = (share: number, elapsedMs: number): string => {
  const isGuessed = elapsedMs >= GUESS_AFTER_MS && share > 0 && share < 1
  return isGuessed ? `, ${inWords((elapsedMs / share) * (1 - share))} left` : ""
}

/** A whole number with its thousands apart. @internal */
export const grouped = (count: number): string => Math.floor(count).toLocaleString("en")

/** A length of time in its largest one or two units. @internal */
export const inWords = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
