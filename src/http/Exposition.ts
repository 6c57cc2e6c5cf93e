/** What is measured of one thing: its labels, and the number. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric with its samples. The name of a counter ends in `_total`. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** Metrics in Prometheus' text format, version 0.0.4. */
export const render = (families: ReadonlyArray<Family>): string => families.map(family).join("")

const family = ({ help, name, samples, type }: Family): string =>
  [
    `# HELP ${name} ${escaped(help)}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(({ labels = {}, value }) => `${name}${braced(labels)} ${number(value)}`),
    ""
  ].join("\n")

const braced = (labels: Readonly<Record<string, string>>): string => {
  const parts = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`
  )
  return parts.length === 0 ? "" : `{${parts.join(",")}}`
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const number = (value: number): string => {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value)
  return value > 0 ? "+Inf" : "-Inf"
}
