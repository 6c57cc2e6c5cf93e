// A template's sample as a small drawing, and the same in words below it.
import { RECORDED_DAYS, TEMPLATES, type TemplateKey } from "../../../../domain/requests/StrategyTemplates.ts"
import { Time } from "../../parts/Value.tsx"
import { type PlotMark, plotOf, SIZE } from "./plot.ts"
import { eventsOf, sampleOf } from "./sample.ts"

/** What each exchange is called in the caption. */
const EXCHANGES = { bybit: "Bybit", coinbase: "Coinbase" } as const

export const SampleChart = ({ template }: { template: TemplateKey }) => {
  const { sample, title } = TEMPLATES[template]
  const { day, exchange, pair } = RECORDED_DAYS[sample.recorded]
  const shown = sampleOf(template)
  const { falling, marks, rising } = plotOf(shown)
  const count = shown.trades.length
  return (
    <figure class="sample">
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        role="img"
        aria-label={`Sample chart of ${title}: ${pair} with what the bot did, as listed below`}
      >
        {marks.map((mark, index) =>
          mark.event.fill === undefined ? <Alert key={index} mark={mark} /> : null
        )}
        <path class="rising" d={rising} />
        <path class="falling" d={falling} />
        {marks.map((mark, index) =>
          mark.event.fill === undefined ? null : <Fill key={index} mark={mark} />
        )}
      </svg>
      <figcaption class="explain">
        {pair} on {EXCHANGES[exchange]}, {dayText(day)}: {count === 1 ? "one trade" : `${count} trades`} of
        the bot’s own rules on real prices. The time of the alerts was chosen to show them.
      </figcaption>
      <details>
        <summary>What happens, step by step</summary>
        <ol class="sample-events">
          {eventsOf(shown).map(({ at, text }, index) => (
            <li key={index}>
              <Time at={at} /> {text}.
            </li>
          ))}
        </ol>
      </details>
    </figure>
  )
}

const dayText = (day: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day))

const Alert = ({ mark: { event, labelX, labelY, x, y } }: { mark: PlotMark }) => (
  <g class="quiet">
    <line x1={x} x2={x} y1={SIZE.top - 8} y2={y} />
    <text x={labelX} y={labelY} text-anchor="middle">
      {event.label}
    </text>
  </g>
)

const Fill = ({ mark: { event, labelX, labelY, x, y } }: { mark: PlotMark }) => {
  const isBuy = event.fill?.side === "buy"
  const [base, tip] = isBuy ? [y + 8, y + 1.5] : [y - 8, y - 1.5]
  return (
    <g class={event.tone}>
      <path d={`M${x} ${tip}L${x - 4} ${base}H${x + 4}z`} />
      <text x={labelX} y={labelY} text-anchor="middle">
        {event.label}
      </text>
    </g>
  )
}
