/** Speeds up the process's clocks and timers tenfold, so that waits of seconds take moments. */
export const HASTE = 10

let isHurried = false

/** From now on, everywhere in this process. Before anything looks at a clock or waits. */
export const hurry = (): void => {
  if (isHurried) return
  isHurried = true
  const now = Date.now.bind(Date)
  const began = now()
  const wait = globalThis.setTimeout
  Date.now = () => began + (now() - began) * HASTE
  const hasty = (run: (...args: Array<unknown>) => void, ms = 0, ...args: Array<unknown>) =>
    wait(run, ms / HASTE, ...args)
  Object.assign(globalThis, { setTimeout: Object.assign(hasty, wait) })
}

/** Waits for so much of the hastened time. */
export const passes = (ms: number): Promise<void> => Bun.sleep(ms / HASTE)
