// The page's only access to time and timers. Time is the server's, also while it replays the past.

/** A difference above this means that the server replays, or that the browser's clock is wrong. */
const CLOSE_MS = 120_000
let ahead = 0

/** The server's time, as far as known, in ms since the epoch. */
export const now = (): number => Date.now() + ahead

/** Records the server's time, in seconds since the epoch. */
export const agree = (seconds: number): void => {
  const gap = seconds * 1000 - Date.now()
  ahead = Math.abs(gap) > CLOSE_MS ? gap : 0
}

/** Records the time of an event (ms): the server's clock is not behind it. */
export const reached = (ms: number): void => {
  if (ms - now() > CLOSE_MS) ahead = ms - Date.now()
}

/** Runs once after a delay; the result cancels it. */
export const after = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Runs at intervals; the result cancels it. */
export const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve)
  })
