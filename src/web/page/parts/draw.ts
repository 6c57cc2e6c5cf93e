// Draws a chart with the charting library. This file is a chunk of its own, loaded with the first chart.
import * as Library from "lightweight-charts"
import { onColours } from "../theme.ts"
import { labelOf, momentOf, secondsOf, timeOf, ZonedAxis } from "./chart/axis.ts"
import { valueAt } from "./chart/readout.ts"
import type { Drawing, Level, Marker, Point, Series, Tone } from "./drawing.ts"
import { price } from "./format.ts"
import { inUtc } from "./reader/time.ts"

export type { Drawing } from "./drawing.ts"

export interface Drawn {
  readonly update: (drawing: Drawing) => void
  /** Puts the crosshair at a time of the first series, and brings it into view. */
  readonly point: (time: number) => void
  readonly remove: () => void
}

type Made = Library.ISeriesApi<"Candlestick"> | Library.ISeriesApi<"Line"> | Library.ISeriesApi<"Area">

/** Draws a chart; `pointed` is told the time at the pointer, or undefined once the pointer is gone. */
export const draw = (
  place: HTMLElement,
  first: Drawing,
  pointed: (time: number | undefined) => void = () => {}
): Drawn => {
  const chart = Library.createChartEx<Library.Time, ZonedAxis>(place, new ZonedAxis(), {
    autoSize: true,
    ...looks(place)
  })
  let made: Array<Made> = []
  let shape = ""
  let marks: Library.ISeriesMarkersPluginApi<Library.Time> | undefined
  let lines: Array<Library.IPriceLine> = []
  let shown = first
  let fitted: Drawing["fit"] | null = null

  const update = (drawing: Drawing) => {
    shown = drawing
    const next = drawing.series.map((it) => `${it.kind} ${"tone" in it ? it.tone : ""} ${it.title}`).join("|")
    if (next !== shape) {
      for (const one of made) chart.removeSeries(one)
      made = drawing.series.map((it) => add(chart, place, it))
      shape = next
      marks = undefined
      lines = []
    }
    const isWhole = isAllShown(chart, made[0])
    drawing.series.forEach((it, index) => {
      fill(made[index], it)
    })
    const main = made[0]
    if (main === undefined) return
    const colour = coloursOf(place)
    marks ??= Library.createSeriesMarkers<Library.Time>(main, [])
    marks.setMarkers((drawing.markers ?? []).map((it) => markerOf(it, colour)))
    for (const line of lines) main.removePriceLine(line)
    lines = (drawing.levels ?? []).map((it) => main.createPriceLine(lineOf(it, colour)))
    const prices = (drawing.levels ?? []).map((it) => it.price)
    // Limit the width of candles, so that a few do not become walls; a curve may fill the chart.
    chart.timeScale().applyOptions({ maxBarSpacing: drawing.series[0]?.kind === "candles" ? 32 : 0 })
    main.applyOptions({
      autoscaleInfoProvider: (plain: () => Library.AutoscaleInfo | null) => roomFor(plain(), prices)
    })
    // Fit a new range, and keep fitting while everything is in view; keep the view that a user moved.
    if (drawing.fit === fitted && !isWhole) return
    fitted = drawing.fit
    chart.timeScale().fitContent()
  }

  // Series get their colours, and the axis its labels, when they are made: make them again.
  const redraw = () =>
    requestAnimationFrame(() => {
      chart.applyOptions(looks(place))
      shape = ""
      update(shown)
    })
  const offColours = onColours(redraw)
  const offZone = inUtc.subscribe(redraw)
  update(first)
  chart.subscribeCrosshairMove(({ sourceEvent, time }) => {
    if (time === undefined) pointed(undefined)
    // Without an event of the reader's it is our own `point`.
    else if (sourceEvent !== undefined) pointed(secondsOf(time))
  })
  return {
    update,
    point: (time) => pointAt(chart, made[0], time, valueAt(shown.series[0], time)),
    remove: () => {
      offColours()
      offZone()
      chart.remove()
    }
  }
}

/** Puts the crosshair at a time, after moving the view to it. */
const pointAt = (
  chart: Library.IChartApiBase<Library.Time>,
  main: Made | undefined,
  time: number,
  value: number | undefined
): void => {
  const at = timeOf(time)
  const place = main?.data().findIndex((it) => it.time === at) ?? -1
  if (main === undefined || value === undefined || place < 0) return
  const range = chart.timeScale().getVisibleLogicalRange()
  if (range !== null && (place < range.from || place > range.to)) {
    const half = (range.to - range.from) / 2
    chart.timeScale().setVisibleLogicalRange({ from: place - half, to: place + half })
  }
  chart.setCrosshairPosition(value, at, main)
}

/** Whether all data is in view. */
const isAllShown = (chart: Library.IChartApiBase<Library.Time>, main: Made | undefined): boolean => {
  const range = chart.timeScale().getVisibleLogicalRange()
  const count = main?.data().length ?? 0
  return range !== null && count > 0 && range.from <= 0.5 && range.to >= count - 1.5
}

const add = (chart: Library.IChartApiBase<Library.Time>, place: HTMLElement, series: Series): Made => {
  const colour = coloursOf(place)
  // On a phone titles would cover the chart; the line below it names every value.
  const title = place.clientWidth < NARROW ? "" : (series.title ?? "")
  if (series.kind === "candles")
    return chart.addSeries(Library.CandlestickSeries, {
      title,
      upColor: colour("good"),
      downColor: colour("bad"),
      wickUpColor: colour("good"),
      wickDownColor: colour("bad"),
      borderVisible: false,
      priceFormat: formatOf()
    })
  const tone = colour(series.tone ?? "accent")
  const common = {
    title,
    lineWidth: 2,
    priceLineVisible: false,
    priceFormat: formatOf(series.format)
  } as const
  return series.kind === "line"
    ? chart.addSeries(Library.LineSeries, { ...common, color: tone }, series.pane ?? 0)
    : chart.addSeries(
        Library.AreaSeries,
        { ...common, lineColor: tone, topColor: faded(tone, 0.28), bottomColor: faded(tone, 0.02) },
        series.pane ?? 0
      )
}

/** Charts below this width (px) have no titles on their lines. */
const NARROW = 480

const fill = (made: Made | undefined, series: Series): void => {
  if (made === undefined) return
  if (series.kind === "candles") made.setData(series.bars.map((bar) => ({ ...bar, time: timeOf(bar.time) })))
  else {
    // The currency may have changed without the curve's shape.
    made.applyOptions({ priceFormat: formatOf(series.format) })
    made.setData(lastOfEach(series.points).map(({ time, value }) => ({ time: timeOf(time), value })))
  }
}

const formatOf = (formatter: (value: number) => string = price) =>
  ({ type: "custom", formatter, minMove: 1e-8 }) as const

/** One point for each time, the last: a chart cannot show several. */
const lastOfEach = (points: ReadonlyArray<Point>): ReadonlyArray<Point> =>
  points.filter(({ time }, place) => time !== points[place + 1]?.time)

/** The visible range, extended to the levels that are near enough to leave the prices readable. */
export const roomFor = (
  plain: Library.AutoscaleInfo | null,
  levels: ReadonlyArray<number>
): Library.AutoscaleInfo | null => {
  const range = plain?.priceRange
  if (range === undefined || range === null) return plain
  const { maxValue, minValue } = range
  const room = Math.max(maxValue - minValue, maxValue * 0.01)
  const near = levels.filter((price) => price >= minValue - room && price <= maxValue + room)
  return {
    ...plain,
    priceRange: { minValue: Math.min(minValue, ...near), maxValue: Math.max(maxValue, ...near) }
  }
}

const SHAPES = { up: "arrowUp", down: "arrowDown", circle: "circle", square: "square" } as const

const markerOf = (
  { shape, side, text, time, tone }: Marker,
  colour: (tone: Tone) => string
): Library.SeriesMarker<Library.Time> => ({
  time: timeOf(time),
  position: side === "above" ? "aboveBar" : "belowBar",
  shape: SHAPES[shape],
  color: colour(tone),
  ...(text === undefined ? {} : { text })
})

const lineOf = (level: Level, colour: (tone: Tone) => string): Library.CreatePriceLineOptions => ({
  price: level.price,
  title: level.title,
  color: colour(level.tone),
  lineWidth: 1,
  lineStyle: Library.LineStyle.Dashed,
  axisLabelVisible: true
})

/** The page's current colours. A custom property is resolved by applying it to the element. */
const coloursOf = (place: HTMLElement) => {
  const style = getComputedStyle(place)
  return (tone: Tone | "text" | "border"): string => {
    const before = place.style.color
    place.style.color = `var(--${tone})`
    const { color } = style
    place.style.color = before
    return color
  }
}

const faded = (rgb: string, alpha: number): string =>
  rgb.replace(/^rgba?\(\s*(\d+)[,\s]+(\d+)[,\s]+(\d+).*$/, `rgba($1, $2, $3, ${alpha})`)

const looks = (place: HTMLElement) => {
  const colour = coloursOf(place)
  return {
    layout: {
      // The library's logo brings inline styles, which the page's policy forbids. The credit is in the footer.
      attributionLogo: false,
      background: { type: Library.ColorType.Solid, color: "transparent" },
      textColor: colour("quiet"),
      fontFamily: getComputedStyle(place).fontFamily,
      panes: { separatorColor: colour("border") }
    },
    grid: {
      vertLines: { color: faded(colour("border"), 0.5) },
      horzLines: { color: faded(colour("border"), 0.5) }
    },
    rightPriceScale: { borderColor: colour("border"), scaleMargins: { top: 0.12, bottom: 0.1 } },
    timeScale: {
      borderColor: colour("border"),
      timeVisible: true,
      // The library's least width would cut off the beginning of a long curve, on a phone most of it.
      minBarSpacing: 0.01,
      // Rotating a phone keeps the visible time range.
      lockVisibleTimeRangeOnResize: true,
      tickMarkFormatter: labelOf
    },
    crosshair: { mode: Library.CrosshairMode.Normal },
    localization: { timeFormatter: momentOf }
  }
}
