// The one place where the page asks for the time and waits: everything else takes it from here.

/** A server whose clock is further away than this has one of its own: a replay, or the browser's is wrong. */
const CLOSE_MS = 120_000
let ahead = 0

/** Now by the server's clock as far as it is known, in milliseconds since the epoch. */
export const now = (): number => Date.now() + ahead

/** Takes note of the server's time, in seconds since the epoch. */
export const agree = (seconds: number): void => {
  const gap = seconds * 1000 - Date.now()
  ahead = Math.abs(gap) > CLOSE_MS ? gap : 0
}

/** Takes note of when something happened, in milliseconds since the epoch: the server's clock is not behind that. */
export const reached = (ms: number): void => {
  if (ms - now() > CLOSE_MS) ahead = ms - Date.now()
}

/** Calls back once; the answer calls it off. */
export const after = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Calls back again and again; the answer calls it off. */
export const every = (ms: number, run: () => void): (() => void) => {
  const timer = setInterval(run, ms)
  return () => clearInterval(timer)
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve)
  })
