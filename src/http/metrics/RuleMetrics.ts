// The metrics of rules of signals.
import type { RuleReading } from "../../services/health/Meters.ts"
import type { Plain } from "./Exposition.ts"

const family = (type: Plain["type"], name: string, help: string, samples: Plain["samples"]): Plain => ({
  ...{ name: `signalbox_rule${name}`, type },
  ...{ help, samples }
})

/** The metrics; none until the rules are read. */
export const families = (reading: RuleReading | undefined): ReadonlyArray<Plain> => {
  if (reading === undefined) return []
  const { alerts, behindMs, corrected, lagMs, repeats, rules, series, stopped, waiting } = reading
  const { announced, stoodIn, withheld, witnessed } = reading
  return [
    family("gauge", "s_at_work", "Rules of active signals that are looked at.", [{ value: rules }]),
    family("gauge", "s_stopped", "Rules of active signals that do nothing: their status says why.", [
      { value: stopped }
    ]),
    family("gauge", "s_waiting", "Markets of rules whose past candles are being fetched or cannot be had.", [
      { value: waiting }
    ]),
    family(
      "gauge",
      "_behind_seconds",
      "For how long a candle has closed that a rule has not looked at yet: the longest.",
      [{ value: behindMs / 1000 }]
    ),
    family(
      "counter",
      "_candles_corrected_total",
      "Candles that an exchange corrected after rules had looked at them.",
      [{ value: corrected }]
    ),
    family("gauge", "_series", "Series of candles that rules look at.", [{ value: series }]),
    family(
      "gauge",
      "_close_lag_seconds",
      "How long after its close the last candle was looked at, with its alerts on disk.",
      [{ value: lagMs / 1000 }]
    ),
    family("counter", "_alerts_total", "What became of alerts that rules raised.", [
      { labels: { outcome: "stored" }, value: alerts },
      { labels: { outcome: "repeated" }, value: repeats },
      { labels: { outcome: "withheld" }, value: withheld }
    ]),
    family("counter", "_witness_total", "What became of alerts that waited for one from outside.", [
      { labels: { outcome: "witnessed" }, value: witnessed },
      { labels: { outcome: "announced" }, value: announced },
      { labels: { outcome: "stood_in" }, value: stoodIn }
    ])
  ]
}
