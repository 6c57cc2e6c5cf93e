// Waiting with a time limit, and checks that name what failed.

const LOOK_MS = 50

/** Waits for a condition; returns the time that it took (ms). Fails with its name if it takes longer. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  lookMs = LOOK_MS
): Promise<number> => {
  const began = Date.now()
  while (!(await holds())) {
    if (Date.now() - began > withinMs) throw new Error(`no ${what} within ${Math.max(0, withinMs) / 1000} s`)
    await Bun.sleep(lookMs)
  }
  return Date.now() - began
}

/** Fails with its name if a condition does not hold. */
export const must = (holds: boolean, saw: string): void => {
  if (!holds) throw new Error(saw)
}
