// A dot for each combination: its figure in train across, in the held-out part up. Dots on a rising line keep their
// promise, a cloud does not.

const WIDTH = 640
const HEIGHT = 320
const EDGE = { left: 112, right: 16, top: 16, bottom: 44 }

export const Scatter = ({
  dots,
  format,
  name
}: {
  dots: ReadonlyArray<readonly [number, number]>
  format: (value: number) => string
  name: string
}) => {
  const across = scaleOf(
    dots.map(([train]) => train),
    EDGE.left,
    WIDTH - EDGE.right
  )
  const up = scaleOf(
    dots.map(([, test]) => test),
    HEIGHT - EDGE.bottom,
    EDGE.top
  )
  const label = `${name} of ${dots.length} combinations: in train from ${format(across.low)} to ${format(across.high)}, in test from ${format(up.low)} to ${format(up.high)}`
  return (
    <svg class="scatter" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line
        class="axis"
        x1={EDGE.left}
        x2={WIDTH - EDGE.right}
        y1={HEIGHT - EDGE.bottom}
        y2={HEIGHT - EDGE.bottom}
      />
      <line class="axis" x1={EDGE.left} x2={EDGE.left} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
      {isWithin(across) ? (
        <line class="zero" x1={across.at(0)} x2={across.at(0)} y1={EDGE.top} y2={HEIGHT - EDGE.bottom} />
      ) : null}
      {isWithin(up) ? (
        <line class="zero" x1={EDGE.left} x2={WIDTH - EDGE.right} y1={up.at(0)} y2={up.at(0)} />
      ) : null}
      {dots.slice(1).map(([train, test], index) => (
        <circle key={index} class="dot" cx={across.at(train)} cy={up.at(test)} r={3.5} />
      ))}
      {dots.slice(0, 1).map(([train, test]) => (
        <circle key="first" class="first" cx={across.at(train)} cy={up.at(test)} r={6} />
      ))}
      <text x={EDGE.left} y={HEIGHT - 24}>
        {format(across.low)}
      </text>
      <text x={WIDTH - EDGE.right} y={HEIGHT - 24} text-anchor="end">
        {format(across.high)}
      </text>
      <text x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} text-anchor="middle">
        {name} in train
      </text>
      <text x={EDGE.left - 8} y={HEIGHT - EDGE.bottom} text-anchor="end">
        {format(up.low)}
      </text>
      <text x={EDGE.left - 8} y={EDGE.top + 10} text-anchor="end">
        {format(up.high)}
      </text>
      <text x={EDGE.left - 8} y={HEIGHT / 2} text-anchor="end">
        in test
      </text>
    </svg>
  )
}

interface Scale {
  readonly low: number
  readonly high: number
  readonly at: (value: number) => number
}

const scaleOf = (values: ReadonlyArray<number>, from: number, to: number): Scale => {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity)
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity)
  const share = (value: number) => (high > low ? (value - low) / (high - low) : 0.5)
  return { low, high, at: (value) => from + (to - from) * share(value) }
}

const isWithin = ({ high, low }: Scale): boolean => low < 0 && high > 0
