/** Metrics read back, as strictly as Prometheus' text format 0.0.4 is written down. */
export interface Read {
  readonly type: string
  readonly help: string
  /** By their labels, as they stand: `{exchange="binance"}`, or nothing. */
  readonly samples: Map<string, number>
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\]|\\\\[\\\\n])*)$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`)
const SAMPLE = new RegExp(`^(${NAME})((?:\\{${LABEL}(?:,${LABEL})*\\})?) (\\S+)$`)
const NUMBER = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/

/** Throws at the first line that does not belong: each metric once, its HELP, its TYPE, then its samples. */
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
    for (; place < lines.length && !lines[place]?.startsWith("#"); place++) {
      const [, of, labels = "", value = ""] = SAMPLE.exec(lines[place] ?? "") ?? []
      if (of !== name || !NUMBER.test(value)) throw new Error(`line ${place + 1}: no sample of ${name}`)
      if (samples.has(labels)) throw new Error(`${name}${labels} comes twice`)
      samples.set(labels, Number(value.replace("Inf", "Infinity")))
    }
    found.set(name, { type, help, samples })
  }
  return found
}
