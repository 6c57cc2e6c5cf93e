// Metrics in Prometheus' text format, version 0.0.4.

/** A measured value with its labels. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A counter or gauge. The name of a counter ends in `_total`. */
export interface Plain {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

/** Observations by bucket, not cumulative; the last bucket has no bound. */
export interface Distribution {
  readonly labels?: Readonly<Record<string, string>>
  readonly bounds: ReadonlyArray<number>
  readonly counts: ReadonlyArray<number>
  readonly sum: number
}

export interface Histogram {
  readonly name: string
  readonly type: "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<Distribution>
}

export type Family = Plain | Histogram

export const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

/** Renders all metrics. */
export const render = (families: ReadonlyArray<Family>): string => families.map(family).join("")

const family = (family: Family): string =>
  [
    `# HELP ${family.name} ${escaped(family.help)}`,
    `# TYPE ${family.name} ${family.type}`,
    ...(family.type === "histogram"
      ? family.samples.flatMap((sample) => distribution(family.name, sample))
      : family.samples.map(({ labels = {}, value }) => `${family.name}${braced(labels)} ${number(value)}`)),
    ""
  ].join("\n")

const distribution = (name: string, { bounds, counts, labels = {}, sum }: Distribution) => {
  let count = 0
  const buckets = counts.map((more, place) => {
    count += more
    const le = number(bounds[place] ?? Number.POSITIVE_INFINITY)
    return `${name}_bucket${braced({ ...labels, le })} ${count}`
  })
  return [
    ...buckets,
    `${name}_sum${braced(labels)} ${number(sum)}`,
    `${name}_count${braced(labels)} ${count}`
  ]
}

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
