// Prices that come and go in a wave, so that a position that is opened in its first minutes is bought into again,
// armed, and closed within the next ones: the same every time.
import type { Minute } from "./replay.ts"

/** The price at the end of each minute in percent of the base. The first four minutes are for buying. */
const WAVE = [0, 0.02, -0.02, 0, -0.4, -0.8, -1.2, -0.6, 0, 0.7, 1.4, 2, 1.5, 1.1, 0.5, 0]
const BASE = 17_000
const MINUTE_MS = 60_000

/** Settings with which each rule acts in one wave. */
export const SETTINGS = {
  dca_percentagetrigger: 0.5,
  dca_ordersize: 50,
  dca_maxretries: 2,
  dca_aftertime: 0,
  trailing_sell_arm: 0.8,
  trailing_sell_percentage: 0.3,
  stop_loss_percentage: 5
} as const

/** Waves from this time on (ms). */
export const waves = (from: number, count: number): ReadonlyArray<Minute> => {
  let before = BASE
  return Array.from({ length: count * WAVE.length }, (_, index) => {
    const close = Math.round(BASE * (1 + (WAVE[index % WAVE.length] ?? 0) / 100) * 100) / 100
    const open = before
    before = close
    return [from + index * MINUTE_MS, open, Math.max(open, close), Math.min(open, close), close, 1] as const
  })
}

/** The minutes from a wave's beginning to a time. */
export const phase = (at: number, from: number): number => ((at - from) / MINUTE_MS) % WAVE.length
