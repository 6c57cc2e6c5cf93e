// What charts show, as plain data: nothing of the drawing library, so that it can be made and tried without one.

export type Tone = "accent" | "good" | "bad" | "warn" | "quiet"

export interface Point {
  /** Seconds since the epoch, rising. */
  readonly time: number
  readonly value: number
}

export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

export type Series =
  | { readonly kind: "candles"; readonly bars: ReadonlyArray<Bar>; readonly title?: string }
  | {
      readonly kind: "line" | "area"
      readonly points: ReadonlyArray<Point>
      readonly title?: string
      readonly tone?: Tone
      /** Below the other series, in a part of the chart of its own. */
      readonly pane?: number
      /** How values are written; prices otherwise. */
      readonly format?: (value: number) => string
    }

/** Something that happened at a time of the first series. */
export interface Marker {
  readonly time: number
  readonly side: "above" | "below"
  readonly shape: "up" | "down" | "circle" | "square"
  readonly tone: Tone
  readonly text?: string
}

/** A price that matters now, as a line across. */
export interface Level {
  readonly price: number
  readonly title: string
  readonly tone: Tone
}

/** What a chart shows. Markers and levels belong to the first series. Hand over the same arrays while nothing changed. */
export interface Drawing {
  readonly series: ReadonlyArray<Series>
  readonly markers?: ReadonlyArray<Marker> | undefined
  readonly levels?: ReadonlyArray<Level> | undefined
  /** Changes when the whole range should be shown anew; without a change new data leaves the view where it is. */
  readonly fit?: string | number | undefined
}
