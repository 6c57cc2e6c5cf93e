// The operator's form that begins a download of candles.
import { useRef, useState } from "preact/hooks"
import { TIMEFRAMES, timeframeOf } from "../../../domain/candles/Timeframe.ts"
import { EXCHANGE_NAMES } from "../../../domain/internal/ExchangeFacts.ts"
import { call } from "../client.ts"
import { now } from "../clock.ts"
import { Problem } from "../Problem.ts"
import { focusFirstError, SelectField, TextField } from "../parts/Field.tsx"
import { ProblemNotice } from "../parts/GuideLink.tsx"
import { utcDayOf } from "./words.ts"

/** The days of a download that are selected at first. */
const DAYS = 30
const FIELDS = ["exchange", "pair", "kind", "timeframe", "from", "to"] as const
const KINDS = [
  { value: "spot", label: "spot" },
  { value: "swap", label: "perpetual" }
]
const named = (values: ReadonlyArray<string>) => values.map((value) => ({ value, label: value }))

const initial = () => ({
  exchange: "binance",
  pair: "",
  kind: "spot",
  timeframe: "1m",
  from: utcDayOf(now() / 1000 - DAYS * 86_400),
  to: utcDayOf(now() / 1000)
})

export const DownloadForm = ({ busy, onBegun }: { busy: boolean; onBegun: () => void }) => {
  const [draft, setDraft] = useState(initial)
  const [problem, setProblem] = useState<Problem>()
  const [sending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    setProblem(undefined)
    setSending(true)
    const { exchange, kind, timeframe, ...days } = draft
    try {
      await call("candles", "begin", {
        payload: {
          ...days,
          exchange,
          kind: kind === "swap" ? "swap" : "spot",
          timeframe: timeframeOf(timeframe) ?? "1m"
        }
      })
      onBegun()
    } catch (fault) {
      setProblem(Problem.of(fault))
      focusFirstError(form.current)
    }
    setSending(false)
  }
  const errors = problem?.errors ?? {}
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: draft[name],
    errors: errors[name],
    onValue: (value: string) => setDraft({ ...draft, [name]: value })
  })
  const isBesideField = FIELDS.some((name) => errors[name] !== undefined)
  return (
    <form class="form" aria-label="Download candles" ref={form} onSubmit={submit} noValidate>
      {problem === undefined || isBesideField ? null : <ProblemNotice problem={problem} />}
      <div class="candle-fields">
        <SelectField label="Exchange" {...field("exchange")} options={named(EXCHANGE_NAMES)} />
        <TextField label="Pair" {...field("pair")} placeholder="BTC/USDT" maxLength={41} />
        <SelectField label="Kind" {...field("kind")} options={KINDS} />
        <SelectField label="Timeframe" {...field("timeframe")} options={named(TIMEFRAMES)} />
        <TextField label="First day (UTC)" {...field("from")} type="date" />
        <TextField label="Last day (UTC)" {...field("to")} type="date" />
      </div>
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy || sending}>
          {busy ? "Downloading…" : "Download"}
        </button>
      </div>
    </form>
  )
}
