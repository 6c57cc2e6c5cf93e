// The prices of a back-test: candle files that are dropped or chosen, and the server's recordings.
import { useId, useState } from "preact/hooks"
import { call } from "../client.ts"
import { TextField } from "../parts/Field.tsx"
import * as Format from "../parts/format.ts"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { times } from "../parts/reader/time.ts"
import { useQuery } from "../query.ts"
import { href } from "../routes.ts"
import type { Errors } from "../strategies/form.ts"
import { glanceAt, pairIn, textOf } from "./files.ts"
import { errorsUnder, type Recording, type Source } from "./setup.ts"

interface Props {
  readonly sources: ReadonlyArray<Source>
  readonly onSources: (change: (sources: ReadonlyArray<Source>) => ReadonlyArray<Source>) => void
  /** Called with the reading of files, until which the back-test waits. */
  readonly onWork: (work: Promise<void>) => void
  /** The pairs that the strategy lists. */
  readonly pairs: ReadonlyArray<string>
  readonly errors: Errors
}

/** The days of a recording that are selected at first. */
const DAYS = 30

export const CandlesField = ({ sources, onSources, onWork, pairs, errors }: Props) => {
  const [violations, setErrors] = useState<ReadonlyArray<string>>([])
  const [isOver, setOver] = useState(false)
  const id = useId()

  const take = async (files: ReadonlyArray<File>) => {
    const found: Array<Source> = []
    const unreadable: Array<string> = []
    for (const file of files) {
      try {
        const csv = await textOf(file)
        const pair = pairIn(file.name) ?? (pairs.length === 1 ? (pairs[0] ?? "") : "")
        found.push({ kind: "file", key: 0, name: file.name, pair, csv, glance: glanceAt(csv) })
      } catch (fault) {
        unreadable.push(`${file.name} ${fault instanceof Error ? fault.message : "cannot be read"}`)
      }
    }
    setErrors(unreadable)
    onSources((sources) => found.reduce(withSource, sources))
  }
  const change = (changed: Source) =>
    onSources((sources) => sources.map((source) => (source.key === changed.key ? changed : source)))
  const shown = [...violations, ...(errors["candles"] ?? [])]

  return (
    <Panel title="Prices" actions={<GuidePage page="backtests#candles">More about candle files</GuidePage>}>
      <fieldset
        aria-label="Candle files"
        class={`drop${isOver ? " over" : ""}${shown.length === 0 ? "" : " wrong"}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          onWork(take([...(event.dataTransfer?.files ?? [])]))
        }}
      >
        <label for={id} class="button">
          Choose candle files
        </label>
        <input
          id={id}
          class="hidden-words"
          type="file"
          multiple
          accept=".csv,.json,.gz,.txt,text/csv,application/json,application/gzip"
          aria-describedby={`${id}-explain`}
          aria-invalid={shown.length > 0}
          onChange={(event) => {
            onWork(take([...(event.currentTarget.files ?? [])]))
            event.currentTarget.value = ""
          }}
        />
        <p class="explain" id={`${id}-explain`}>
          or drop them here, one for each pair: CSV with timestamp, open, high, low, close, volume, or
          freqtrade's JSON, gzipped or not
        </p>
        {shown.length === 0 ? null : <p class="field-error">{shown.join("; ")}</p>}
      </fieldset>
      <AddRecorded
        taken={sources}
        pairs={pairs}
        onAdd={(recording) => onSources((sources) => withSource(sources, recordedOf(recording)))}
      />
      {sources.length === 0 ? null : (
        <ul class="sources" aria-label="Prices of this back-test">
          {sources.map((source, index) => (
            <SourceRow
              key={source.key}
              source={source}
              pairs={pairs}
              errors={errors}
              field={`candles[${index}]`}
              onChange={change}
              onRemove={() => onSources((sources) => sources.filter(({ key }) => key !== source.key))}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Adds a source under a new key. */
const withSource = (sources: ReadonlyArray<Source>, source: Source): ReadonlyArray<Source> => [
  ...sources,
  { ...source, key: Math.max(0, ...sources.map(({ key }) => key)) + 1 }
]

const recordedOf = (recording: Recording): Source => ({
  kind: "recorded",
  key: 0,
  recording,
  from: times().dayOf(Math.max(recording.from, recording.to - DAYS * 86_400)),
  to: times().dayOf(recording.to)
})

const nameOf = ({ exchange, kind, pair }: Recording) =>
  `${pair} on ${exchange}${kind === "swap" ? ", perpetual" : ""}`
const keyOf = ({ exchange, kind, pair }: Recording) => `${exchange}:${pair}:${kind}`

/** The server's recordings, those of the strategy's pairs first. */
const AddRecorded = ({
  taken,
  pairs,
  onAdd
}: {
  taken: ReadonlyArray<Source>
  pairs: ReadonlyArray<string>
  onAdd: (recording: Recording) => void
}) => {
  const id = useId()
  const { data, problem } = useQuery("recordings", (signal) => call("backtests", "recordings", { signal }))
  const all = data?.data ?? []
  if (data === undefined || all.length === 0)
    return (
      <p class="explain">
        {problem?.message ??
          (data === undefined ? (
            "Looking for recorded prices…"
          ) : (
            <>
              This server has no prices stored yet. It records every market that strategies watch, and the
              operator can <a href={href("settings", ["candles"])}>download past ones</a>.
            </>
          ))}
      </p>
    )
  const free = all.filter(
    (it) => !taken.some((one) => one.kind === "recorded" && keyOf(one.recording) === keyOf(it))
  )
  const [own, others] = [
    free.filter(({ pair }) => pairs.includes(pair)),
    free.filter(({ pair }) => !pairs.includes(pair))
  ]
  const options = (recordings: ReadonlyArray<Recording>) =>
    recordings.map((it) => (
      <option key={keyOf(it)} value={keyOf(it)}>
        {nameOf(it)}, {Format.day(it.from)} to {Format.day(it.to)}
      </option>
    ))
  return (
    <div class="field">
      <label for={id}>Add recorded prices</label>
      <select
        id={id}
        value=""
        onChange={(event) => {
          const chosen = all.find((it) => keyOf(it) === event.currentTarget.value)
          event.currentTarget.value = ""
          if (chosen !== undefined) onAdd(chosen)
        }}
      >
        <option value="">{free.length === 0 ? "All are added" : "Choose a market…"}</option>
        {own.length === 0 ? null : <optgroup label="Pairs of the strategy">{options(own)}</optgroup>}
        {others.length === 0 ? null : <optgroup label="Other markets">{options(others)}</optgroup>}
      </select>
    </div>
  )
}

const SourceRow = ({
  source,
  pairs,
  errors,
  field,
  onChange,
  onRemove
}: {
  source: Source
  pairs: ReadonlyArray<string>
  errors: Errors
  field: string
  onChange: (source: Source) => void
  onRemove: () => void
}) => {
  const title = source.kind === "file" ? source.name : nameOf(source.recording)
  const ownErrors = errorsUnder(errors, field)
  return (
    <li class="source">
      <div class="source-head">
        <div>
          <span class="strong">{title}</span>
          <span class="under">{factsOf(source)}</span>
        </div>
        <button type="button" class="button small ghost" aria-label={`Remove ${title}`} onClick={onRemove}>
          Remove
        </button>
      </div>
      {source.kind === "file" ? (
        <TextField
          label="Pair"
          name={`${field}.pair`}
          value={source.pair}
          placeholder="BTC/USDT"
          list={pairs}
          errors={ownErrors}
          onValue={(pair) => onChange({ ...source, pair })}
        />
      ) : (
        <div class="span">
          <TextField
            label="First day"
            name={`${field}.from`}
            type="date"
            value={source.from}
            onValue={(from) => onChange({ ...source, from })}
          />
          <TextField
            label="Last day"
            name={`${field}.to`}
            type="date"
            value={source.to}
            errors={ownErrors}
            onValue={(to) => onChange({ ...source, to })}
          />
        </div>
      )}
    </li>
  )
}

const factsOf = (source: Source): string => {
  if (source.kind === "recorded") {
    const { bytes, from, to } = source.recording
    return `${Format.day(from)} to ${Format.day(to)}, ${Format.bytes(bytes)} recorded`
  }
  const { from, rows, to } = source.glance
  const size = `${Format.count(rows)} candles, ${Format.bytes(source.csv.length)}`
  return from === undefined || to === undefined ? size : `${Format.day(from)} to ${Format.day(to)}, ${size}`
}
