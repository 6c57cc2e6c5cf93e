/** Parses metrics strictly by Prometheus' text format 0.0.4; any deviation is an error. */
export interface Read {
  readonly type: string
  readonly help: string
  /**
   * By their labels as written: `{exchange="binance"}`, or nothing. A histogram's samples have the end of their name
   * before the labels: `_bucket{le="1"}`, `_sum`, `_count`.
   */
  readonly samples: Map<string, number>
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])*)$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`)
const SAMPLE = new RegExp(`^(${NAME})((?:\\{${LABEL}(?:,${LABEL})*\\})?) (\\S+)$`)
const NUMBER = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

/** Throws at the first invalid line: each metric appears once, with its HELP, its TYPE, then its samples. */
export const parse = (text: string): Map<string, Read> => {
  if (!text.endsWith("\n")) throw new Error("the last line has no end")
  const found = new Map<string, Read>()
  const lines = text.slice(0, -1).split("\n")
  for (let place = 0; place < lines.length; ) {
    const [, name = "", help = ""] = HELP.exec(lines[place++] ?? "") ?? []
    const [, typed, type = ""] = TYPE.exec(lines[place++] ?? "") ?? []
    if (name === "" || typed !== name) throw new Error(`line ${place}: no HELP and TYPE of one metric`)
    if (found.has(name)) throw new Error(`${name} comes twice`)
    if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`)
    const samples = new Map<string, number>()
    const names = type === "histogram" ? PARTS.map((part) => name + part) : [name]
    for (; place < lines.length && !lines[place]?.startsWith("#"); place++) {
      const [, of, labels = "", value = ""] = SAMPLE.exec(lines[place] ?? "") ?? []
      if (of === undefined || !names.includes(of) || !NUMBER.test(value))
        throw new Error(`line ${place + 1}: no sample of ${name}`)
      const key = of.slice(name.length) + labels
      if (samples.has(key)) throw new Error(`${of}${labels} comes twice`)
      samples.set(key, Number(value.replace("Inf", "Infinity")))
    }
    if (type === "histogram") checkHistogram(name, samples)
    found.set(name, { type, help, samples })
  }
  return found
}

const PARTS = ["_bucket", "_sum", "_count"]

/** Checks a histogram: bounds ascend, counts never decrease, and the last bucket holds all. */
const checkHistogram = (name: string, samples: Map<string, number>): void => {
  const last = new Map<string, { readonly le: number; readonly count: number }>()
  for (const [key, value] of samples) {
    if (!key.startsWith("_bucket")) continue
    const [, before = "", bound = ""] = /^_bucket\{(.*?),?le="([^"]+)"\}$/.exec(key) ?? []
    const labels = before === "" ? "" : `{${before}}`
    const le = Number(bound.replace("Inf", "Infinity"))
    const previous = last.get(labels) ?? { le: Number.NEGATIVE_INFINITY, count: 0 }
    if (!(le > previous.le) || value < previous.count) throw new Error(`${name}${key} is out of order`)
    last.set(labels, { le, count: value })
  }
  for (const [labels, { count, le }] of last) {
    if (le !== Number.POSITIVE_INFINITY || samples.get(`_count${labels}`) !== count)
      throw new Error(`${name}${labels} does not hold all in its last bucket`)
    if (!samples.has(`_sum${labels}`)) throw new Error(`${name}${labels} has no sum`)
  }
  if (samples.size > 0 && last.size === 0) throw new Error(`${name} has no buckets`)
}
