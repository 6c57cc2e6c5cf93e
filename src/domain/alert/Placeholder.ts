// Detects the charting platform's placeholders that were sent unfilled. Only the platform's own names are ever
// repeated.

/** Placeholders that may remain unfilled in an alert. Source: the platform's help page on alert variables. */
const KNOWN: ReadonlySet<string> = new Set([
  "ticker",
  "exchange",
  "open",
  "high",
  "low",
  "close",
  "volume",
  "time",
  "timenow",
  "interval",
  "syminfo.currency",
  "syminfo.basecurrency",
  "strategy.position_size",
  "strategy.order.action",
  "strategy.order.contracts",
  "strategy.order.price",
  "strategy.order.id",
  "strategy.order.comment",
  "strategy.order.alert_message",
  "strategy.market_position",
  "strategy.market_position_size",
  "strategy.prev_market_position",
  "strategy.prev_market_position_size",
  ...Array.from({ length: 20 }, (_, index) => `plot_${index}`)
])

const PLACEHOLDER = /\{\{\s{0,9}([^{}]{1,80}?)\s{0,9}\}\}/

/**
 * The violation text for a text with an unfilled placeholder; undefined without one. The author's name in `plot("...")`
 * is dropped.
 */
export const unfilled = (text: string): string | undefined => {
  if (!text.includes("{{")) return undefined
  const found = PLACEHOLDER.exec(text)?.[1]
  if (found === undefined) return undefined
  const name = found.startsWith("plot(") ? "plot" : KNOWN.has(found) ? found : undefined
  return name === undefined
    ? "holds a {{placeholder}} that the charting platform does not know: it was not filled in"
    : `holds {{${name}}}, which the charting platform did not fill in`
}
