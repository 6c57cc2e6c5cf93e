// Several lines on standard error that are drawn again and again while long work runs: a table, and what is done with the
// rate and the time left. Where standard error is no terminal, a plain line now and then says the latter.
import * as Effect from "effect/Effect"
import { drawing, grouped, inWords, isShown, type Terminal, USUAL_COLUMNS, type Work } from "./progress.ts"

/** A piece of long work, of which `before` was done by an earlier run. */
export interface LongRun extends Work {
  readonly before: number
}

export interface Lines {
  /** `done` counts this run only; `table` is called when the lines are drawn. */
  readonly show: (done: number, table: () => ReadonlyArray<string>) => void
  readonly clear: () => void
}

/** Lines are redrawn at most this often (ms); plain ones are printed at most this often, and not before. */
const REDRAW_MS = 500
const PLAIN_MS = 30_000
/** A guess at the rate is worth nothing before (ms). */
const GUESS_AFTER_MS = 1_000
const USUAL_ROWS = 24

/** Lines of this process. Call `clear` when the work ends, however it ends. */
export const lines = (work: LongRun): Effect.Effect<Lines> =>
  Effect.map(Effect.clock, (clock) => {
    const now = () => clock.unsafeCurrentTimeMillis()
    const { stderr, stdout } = process
    if (isShown(work, stderr, stdout)) return linesOn(stderr, work, now)
    return work.json ? NO_LINES : plainOn(stderr, work, now)
  })

const NO_LINES: Lines = { show: () => {}, clear: () => {} }

/** Lines for a reader that is no terminal. */
export const plainOn = (output: Pick<Terminal, "write">, work: LongRun, now: () => number): Lines => {
  const began = now()
  let printedAt = began
  return {
    show: (done) => {
      const at = now()
      if (at - printedAt < PLAIN_MS) return
      printedAt = at
      output.write(`${countsOf(work, done, at - began)}\n`)
    },
    clear: () => {}
  }
}

/**
 * Lines on a terminal. Each drawing is one write that overwrites the last one and that terminals which can do so show as a
 * whole (DEC mode 2026), so that nothing flickers. Lines are cut to the terminal, since a full one would scroll.
 */
export const linesOn = (terminal: Terminal, work: LongRun, now: () => number): Lines => {
  const began = now()
  let drawnAt = -Infinity
  let height = 0
  const draw = (texts: ReadonlyArray<string>) => {
    const up = height === 0 ? "\r" : `\r${UP(height)}`
    const width = (terminal.columns || USUAL_COLUMNS) - 1
    terminal.write(
      `${BEGIN}${up}${texts.map((text) => `${text.slice(0, width)}${REST}\n`).join("")}${BELOW}${END}`
    )
    height = texts.length
  }
  return {
    show: (done, table) => {
      const at = now()
      if (at - drawnAt < REDRAW_MS) return
      drawnAt = at
      const share = work.total <= 0 ? 1 : Math.min(1, (work.before + done) / work.total)
      const room = Math.max(0, (terminal.rows || USUAL_ROWS) - 2)
      draw([...table().slice(0, room), `${drawing(share)}  ${countsOf(work, done, at - began)}`])
    },
    clear: () => {
      if (height > 0) terminal.write(`\r${UP(height)}${BELOW}`)
      height = 0
    }
  }
}

const ESCAPE = "\u001b["
const UP = (rows: number) => `${ESCAPE}${rows}A`
/** Clear the rest of the line, and everything below. */
const REST = `${ESCAPE}K`
const BELOW = `${ESCAPE}J`
const BEGIN = `${ESCAPE}?2026h`
const END = `${ESCAPE}?2026l`

/** `1,000 of 2,000 combinations back-tested, 120 a second, 8 s left` */
export const countsOf = ({ before, total, unit }: LongRun, done: number, elapsedMs: number): string => {
  const all = Math.min(before + done, total)
  const counts = `${grouped(all)} of ${grouped(total)} ${unit}`
  if (elapsedMs < GUESS_AFTER_MS || done === 0) return counts
  const perSecond = (done * 1000) / elapsedMs
  const rate = perSecond < 10 ? perSecond.toFixed(1) : grouped(perSecond)
  return `${counts}, ${rate} a second${all === total ? "" : `, ${inWords(((total - all) * 1000) / perSecond)} left`}`
}
