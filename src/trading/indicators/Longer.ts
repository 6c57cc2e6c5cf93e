// Candles of a longer timeframe, built of those that come in, with a plan of their own. A longer candle counts from the
// candle on that completes it; one whose beginning is missing is left out.
import type { Bar, Plan } from "./Plan.ts"
import { at, HERE, type Kernel, put, type Ring, type Series, stateless } from "./Series.ts"

/** The plan of a longer timeframe, and how many of its candles are complete at each row of the shorter one. */
export interface Longer {
  readonly plan: Plan
  readonly complete: Series
}

/** Builds candles of `plan`, whose timeframe is longer than that of `base`. */
export const longer = (base: Plan, plan: Plan): Longer => {
  const [times, open, high] = [base.field("at"), base.field("open"), base.field("high")] as const
  const [low, close, volume] = [base.field("low"), base.field("close"), base.field("volume")] as const
  const inputs = [times, open, high, low, close, volume]
  const read = (row: number): Bar => ({
    at: at(times.ring, row),
    open: at(open.ring, row),
    high: at(high.ring, row),
    low: at(low.ring, row),
    close: at(close.ring, row),
    volume: at(volume.ring, row)
  })
  const key = `longer${plan.timeframeMs}`
  const complete = base.series({ key, inputs, reach: HERE }, (out) =>
    building({ plan, read, out, stepMs: base.timeframeMs })
  )
  return { plan, complete }
}

interface Building {
  readonly plan: Plan
  readonly read: (row: number) => Bar
  readonly out: Ring
  readonly stepMs: number
}

/** The candle under way; `isWhole` unless candles came in after its beginning only. */
interface UnderWay {
  readonly bar: Bar
  readonly isWhole: boolean
}

const building = ({ out, plan, read, stepMs }: Building): Kernel => {
  const span = plan.timeframeMs
  let current: UnderWay | undefined
  const end = () => {
    if (current?.isWhole === true) plan.push(current.bar)
    current = undefined
  }
  return {
    advance: (from, to) => {
      for (let row = from; row < to; row++) {
        const bar = read(row)
        const begin = Math.floor(bar.at / span) * span
        if (current !== undefined && current.bar.at < begin) end()
        current =
          current === undefined
            ? { bar: { ...bar, at: begin }, isWhole: row > 0 || bar.at === begin }
            : { bar: joined(current.bar, bar), isWhole: current.isWhole }
        if (bar.at + stepMs >= begin + span) end()
        put(out, row, plan.rows())
      }
    },
    hold: () => {
      const held = current
      const release = plan.hold()
      return () => {
        current = held
        release()
      }
    }
  }
}

const joined = (first: Bar, later: Bar): Bar => ({
  at: first.at,
  open: first.open,
  high: Math.max(first.high, later.high),
  low: Math.min(first.low, later.low),
  close: later.close,
  volume: first.volume + later.volume
})

/** A series of the longer timeframe at its last complete candle; `before` while there is none. */
export const latest = (base: Plan, { complete }: Longer, of: Series, before: number): Series => {
  const { ring } = of
  return base.series({ key: `latest${of.id},${before}`, inputs: [complete], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) {
        const rows = at(complete.ring, row)
        put(out, row, rows === 0 ? before : at(ring, rows - 1))
      }
    })
  )
}

/** True from the candle on at which the longer timeframe has `rows` candles. */
export const enough = (base: Plan, { complete }: Longer, rows: number): Series =>
  base.series({ key: `enough${rows}`, inputs: [complete], reach: HERE }, (out) =>
    stateless((from, to) => {
      for (let row = from; row < to; row++) put(out, row, at(complete.ring, row) >= rows ? 1 : 0)
    })
  )
