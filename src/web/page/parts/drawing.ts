// A chart's content as plain data, independent of the charting library.

export type Tone = "accent" | "good" | "bad" | "warn" | "violet" | "teal" | "quiet"

export interface Point {
  /** Seconds since the epoch, ascending. */
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
      /** The pane below the main one that shows the series. */
      readonly pane?: number
      /** The format of values; by default prices. */
      readonly format?: (value: number) => string
    }

/** A marker at a time of the first series. */
export interface Marker {
  readonly time: number
  readonly side: "above" | "below"
  readonly shape: "up" | "down" | "circle" | "square"
  readonly tone: Tone
  readonly text?: string
}

/** A price level, drawn as a line across. */
export interface Level {
  readonly price: number
  readonly title: string
  readonly tone: Tone
}

/** A chart's content. Markers and levels belong to the first series. Pass the same arrays while nothing changes. */
export interface Drawing {
  readonly series: ReadonlyArray<Series>
  readonly markers?: ReadonlyArray<Marker> | undefined
  readonly levels?: ReadonlyArray<Level> | undefined
  /** What happened at times of the first series, in words: the fills of a candle. */
  readonly notes?: ReadonlyMap<number, ReadonlyArray<string>> | undefined
  /** When this changes the whole range is shown again; otherwise new data keeps the view. */
  readonly fit?: string | number | undefined
}
