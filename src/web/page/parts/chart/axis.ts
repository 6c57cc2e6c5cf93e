// A chart's axis of time in the reader's zone: where its labels stand, and what they say. The library knows only UTC, in
// which a day of New York would be labelled at seven in the evening.
import * as Library from "lightweight-charts"
import { type Label, times } from "../reader/time.ts"

/** The seconds since the epoch of the library's time. */
export const secondsOf = (time: unknown): number => (typeof time === "number" ? time : 0)

/** The library's own type for seconds since the epoch. */
const isTimestamp = (seconds: number): seconds is Library.UTCTimestamp => Number.isFinite(seconds)

export const timeOf = (seconds: number): Library.UTCTimestamp => {
  if (!isTimestamp(seconds)) throw new RangeError("A time on a chart is no number.")
  return seconds
}

type Behaviour = Library.IHorzScaleBehavior<Library.Time>

/** The library's axis, whose labels stand at the reader's midnights, months and years. */
export class ZonedAxis extends Library.defaultHorzScaleBehavior() {
  override fillWeightsForPoints(...[points, start]: Parameters<Behaviour["fillWeightsForPoints"]>): void {
    // A point's weight depends on the one before it.
    const first = Math.max(0, start - 1)
    const changed = points.slice(first)
    const shifted = changed.map((point) => ({
      ...point,
      time: this.convertHorzItemToInternal(timeOf(times().shifted(secondsOf(point.originalTime))))
    }))
    super.fillWeightsForPoints(shifted, start - first)
    changed.forEach((point, place) => {
      point.timeWeight = shifted[place]?.timeWeight ?? point.timeWeight
    })
  }
}

const LABELS: Readonly<Record<Library.TickMarkType, Label>> = {
  [Library.TickMarkType.Year]: "year",
  [Library.TickMarkType.Month]: "month",
  [Library.TickMarkType.DayOfMonth]: "day",
  [Library.TickMarkType.Time]: "time",
  [Library.TickMarkType.TimeWithSeconds]: "second"
}

/** The text of a label. */
export const labelOf = (time: Library.Time, kind: Library.TickMarkType): string =>
  times().label(secondsOf(time), LABELS[kind])

/** The text at the crosshair. */
export const momentOf = (time: Library.Time): string => times().minute(secondsOf(time))
