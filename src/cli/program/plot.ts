// Draws curves as text for a terminal, in Braille characters of two by four dots each. Pure: the caller knows the
// terminal's width, and `plainWhenPiped` (colours.ts) removes the colours where nobody wants them.

/** A point of a curve: `at` is any ascending measure of time. The value holds until the next point. */
export interface Point {
  readonly at: number
  readonly value: number
}

/** A curve. The first of several is drawn solid and above the others, which are dotted. */
export interface Curve {
  readonly points: ReadonlyArray<Point>
  /** The parameter of the ANSI colour code, like 36 for cyan. */
  readonly colour: number
}

/** The size in characters, with the labels of the axis at the left, and how these are written. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly format: (value: number) => string
}

export const CYAN = 36
export const GREY = 90

/** Columns and rows of dots in one character. */
const ACROSS = 2
const DOWN = 4
/** The bit of each dot of a Braille character, by row and column. */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80]
]
const BLANK = 0x2800
const LEAST_WIDTH = 10

/** Values at equal distances as the points of a curve. */
export const pointsOf = (values: ReadonlyArray<number>): ReadonlyArray<Point> =>
  values.map((value, at) => ({ at, value }))

/** The lines of the picture; none without a finite value. */
export const plot = (
  curves: ReadonlyArray<Curve>,
  { format, height, width }: Frame
): ReadonlyArray<string> => {
  const drawn = curves.map((curve) => ({ ...curve, points: curve.points.filter(isFinitePoint) }))
  const all = drawn.flatMap(({ points }) => points)
  if (all.length === 0) return []
  const range = rangeOf(all)
  const labels = labelsOf(range, height, format)
  const margin = Math.max(...labels.map((label) => label.length))
  const columns = Math.max(LEAST_WIDTH, width - margin - 2)
  const grids = drawn.map(({ points }, index) =>
    gridOf(points, range, { columns, rows: height, isDotted: index > 0 })
  )
  return labels.map((label, row) => {
    const cells = Array.from({ length: columns }, (_, column) => cellOf(drawn, grids, row * columns + column))
    return `${label.padStart(margin)} │${joined(cells)}`
  })
}

interface Range {
  readonly from: number
  readonly until: number
  readonly low: number
  readonly high: number
}

const isFinitePoint = ({ at, value }: Point): boolean => Number.isFinite(at) && Number.isFinite(value)

const rangeOf = (points: ReadonlyArray<Point>): Range => {
  const range = { from: Infinity, until: -Infinity, low: Infinity, high: -Infinity }
  for (const { at, value } of points) {
    range.from = Math.min(range.from, at)
    range.until = Math.max(range.until, at)
    range.low = Math.min(range.low, value)
    range.high = Math.max(range.high, value)
  }
  return range
}

/** The highest value stands at the top, the lowest at the bottom, the middle between them. */
const labelsOf = ({ high, low }: Range, height: number, format: Frame["format"]): ReadonlyArray<string> =>
  Array.from({ length: height }, (_, row) => {
    if (row === 0) return format(high)
    if (row === height - 1) return format(low)
    return row === Math.floor(height / 2) && height > 4 ? format((high + low) / 2) : ""
  })

interface Raster {
  readonly columns: number
  readonly rows: number
  readonly isDotted: boolean
}

/** The bits of all characters, row by row. */
const gridOf = (points: ReadonlyArray<Point>, range: Range, raster: Raster): Uint8Array => {
  const { columns, isDotted, rows } = raster
  const grid = new Uint8Array(columns * rows)
  const across = columns * ACROSS
  const down = rows * DOWN
  const flat = range.high === range.low
  const heightOf = (value: number) =>
    flat ? down >> 1 : Math.round(((range.high - value) / (range.high - range.low)) * (down - 1))
  let next = 0
  let last: number | undefined
  for (let x = 0; x < across; x++) {
    const end = x === across - 1 ? Infinity : range.from + ((range.until - range.from) * (x + 1)) / across
    const seen = last === undefined ? [] : [last]
    for (let point = points[next]; point !== undefined && point.at < end; point = points[++next]) {
      last = heightOf(point.value)
      seen.push(last)
    }
    if (seen.length === 0 || (isDotted && x % 2 === 1)) continue
    const [top, bottom] = ends(seen)
    for (let y = top; y <= bottom; y++) {
      const cell = Math.floor(y / DOWN) * columns + Math.floor(x / ACROSS)
      grid[cell] = (grid[cell] ?? 0) | (BITS[y % DOWN]?.[x % ACROSS] ?? 0)
    }
  }
  return grid
}

/** The lowest and highest of many numbers: too many for the arguments of one call. */
const ends = (numbers: ReadonlyArray<number>): readonly [number, number] =>
  numbers.reduce<readonly [number, number]>(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Infinity, -Infinity]
  )

interface Cell {
  readonly text: string
  readonly colour: number | undefined
}

/** Where curves share a character, the first one's colour wins. */
const cellOf = (curves: ReadonlyArray<Curve>, grids: ReadonlyArray<Uint8Array>, place: number): Cell => {
  let bits = 0
  let colour: number | undefined
  for (const [index, grid] of grids.entries()) {
    const own = grid[place] ?? 0
    if (own !== 0) colour ??= curves[index]?.colour
    bits |= own
  }
  return { text: bits === 0 ? " " : String.fromCharCode(BLANK + bits), colour }
}

/** One colour code for each stretch of the same colour. */
const joined = (cells: ReadonlyArray<Cell>): string => {
  let line = ""
  let colour: number | undefined
  for (const cell of cells) {
    if (cell.colour !== colour) line += cell.colour === undefined ? "\u001b[39m" : `\u001b[${cell.colour}m`
    colour = cell.colour
    line += cell.text
  }
  return colour === undefined ? line.trimEnd() : `${line}\u001b[39m`
}
