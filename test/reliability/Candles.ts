// Candle files as a function of time alone, so that one file continues where another ended.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A market whose price moves up and down for ever. */
export interface Course {
  readonly exchange: string
  /** `BTC-USDT`. */
  readonly name: string
  readonly price: number
}

export const COURSES: ReadonlyArray<Course> = [
  { exchange: "binance", name: "BTC-USDT", price: 60_000 },
  { exchange: "binance", name: "ETH-USDT", price: 3000 },
  { exchange: "binance", name: "SOL-USDT", price: 150 }
]

/**
 * Candles from a time on, the ms between them, and their count. `calm` is how many times slower prices move than in a
 * storm.
 */
export interface Stretch {
  readonly from: number
  readonly every: number
  readonly count: number
  readonly calm?: number
}

/** Writes the candles of these markets. */
export const write = (folder: string, stretch: Stretch, courses = COURSES): string => {
  mkdirSync(folder, { recursive: true })
  for (const [index, course] of courses.entries()) {
    const rows = Array.from({ length: stretch.count }, (_, row) =>
      rowAt(course, index, stretch, stretch.from + row * stretch.every)
    )
    writeFileSync(join(folder, `${course.exchange}_${course.name}.csv`), rows.join(""))
  }
  return folder
}

const rowAt = (course: Course, index: number, { calm = 1, every }: Stretch, at: number): string => {
  const open = priceAt(course, index, at / calm)
  const close = priceAt(course, index, (at + every) / calm)
  const high = Math.max(open, close) * (1 + 0.0005 / calm)
  const low = Math.min(open, close) * (1 - 0.0005 / calm)
  return `${at},${[open, high, low, close].map((price) => price.toFixed(2)).join(",")},1\n`
}

/** A wave of 3 % that takes half a minute, and a ripple of 1 %. */
export const priceAt = ({ price }: Course, index: number, at: number): number =>
  price * (1 + 0.03 * Math.sin(at / 5000 + index) + 0.01 * Math.sin(at / 700 + 2 * index))
