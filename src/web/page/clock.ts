// The one place where the page asks for the time and waits: everything else takes it from here.

/** Now, in milliseconds since the epoch. */
export const now = (): number => Date.now()

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
