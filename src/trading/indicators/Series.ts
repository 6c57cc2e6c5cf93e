// A series: one number for each candle, of which a ring keeps the newest. A condition is a series of 1 (true) and 0. A
// number that is not finite is no value.

/** The newest rows of a series: row `n` lies at `n & mask`. */
export interface Ring {
  values: Float64Array
  mask: number
}

/**
 * `first` is the number of candles until the first value. `warmup` is the number of candles after which what came
 * before them weighs less than 1e-9. `anchored` series never forget: they depend on where the candles begin.
 * `history` is the number of earlier rows that others read.
 */
export interface Series {
  readonly id: number
  readonly first: number
  readonly warmup: number
  readonly anchored: boolean
  readonly ring: Ring
  history: number
}

/** Whether a number is a value. */
export const isValue = (value: number): boolean => value - value === 0

/** The number, or NaN in place of an infinite one, so that an overflow is no value further on either. */
export const finite = (value: number): number => (value - value === 0 ? value : Number.NaN)

/** The value of a row. */
export const at = (ring: Ring, row: number): number => ring.values[row & ring.mask] ?? Number.NaN

/** Sets the value of a row. */
export const put = (ring: Ring, row: number, value: number): void => {
  ring.values[row & ring.mask] = value
}

/**
 * Computes rows of one series. Rows come in sequence, each once, except after `hold`: it keeps the state, and the
 * function it returns puts that back. So an unfinished candle's row is computed, undone, and computed again. Memory
 * that is not part of the state may be written by such a row only where nothing reads it before it is written again.
 */
export interface Kernel {
  /** Computes the rows from `from` up to and without `to`. */
  readonly advance: (from: number, to: number) => void
  readonly hold: () => () => void
}

/** A kernel without state. */
export const stateless = (advance: Kernel["advance"]): Kernel => ({ advance, hold: () => () => {} })

/** A kernel whose state is an object of numbers. */
export const stateful = <S extends object>(state: S, advance: Kernel["advance"]): Kernel => ({
  advance,
  hold: () => {
    const held = { ...state }
    return () => {
      Object.assign(state, held)
    }
  }
})

/** How a new series relates to those it is computed from, in candles. */
export interface Reach {
  /** Rows that it needs beside the first one. */
  readonly rows: number
  /** The same, until what came before weighs less than 1e-9; `rows` if absent. */
  readonly warmup?: number
  readonly anchored?: boolean
}

/** Needs the present candle only. */
export const HERE: Reach = { rows: 0 }
/** Needs `rows` candles before the present one. */
export const back = (rows: number): Reach => ({ rows })
