import { useId, useState } from "preact/hooks"
import { call } from "../client.ts"
import { SelectField, TextField } from "../parts/Field.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { useQuery } from "../query.ts"
import type { Errors } from "../strategies/form.ts"
import { kindOf, textOf } from "./files.ts"
import { errorsUnder, type Sent } from "./setup.ts"

interface Props {
  readonly sent: Sent
  readonly onSent: (change: (sent: Sent) => Sent) => void
  /** Told of a file that is being read. */
  readonly onWork: (work: Promise<void>) => void
  /** The strategy that was picked, where it follows a signal. */
  readonly strategy: { readonly id: number; readonly name: string } | undefined
  /** The pairs that there are candles of. */
  readonly pairs: ReadonlyArray<string>
  readonly errors: Errors
}

/** What tells the strategy when to enter and to leave: alerts on record, or a file. */
export const AlertsField = ({ sent, onSent, onWork, strategy, pairs, errors }: Props) => {
  const id = useId()
  const [error, setError] = useState<string>()
  const signals = useQuery("signals to test", (signal) =>
    call("records", "signals", { signal, urlParams: {} })
  )
  const options = [
    { value: "none", label: "None" },
    ...(strategy === undefined
      ? []
      : [{ value: `strategy:${strategy.id}`, label: `On record: what ${strategy.name} acts on` }]),
    ...(signals.data?.data ?? []).map(({ id, name }) => ({
      value: `signal:${id}`,
      label: `On record: signal ${name}`
    })),
    { value: "file", label: "A file: alerts, or a list of trades" }
  ]
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    try {
      const text = await textOf(file)
      setError(undefined)
      onSent((sent) => ({ ...sent, choice: "file", name: file.name, text }))
    } catch (fault) {
      setError(`${file.name} ${fault instanceof Error ? fault.message : "cannot be read"}`)
    }
  }
  const violations = [...(error === undefined ? [] : [error]), ...(errorsUnder(errors, "alerts") ?? [])]
  return (
    <Panel title="Alerts">
      <SelectField
        label="Where they come from"
        name="alerts"
        value={sent.choice}
        options={options}
        explain={explain(sent.choice)}
        errors={sent.choice === "file" || violations.length === 0 ? undefined : violations}
        onValue={(choice) => onSent((sent) => ({ ...sent, choice }))}
      />
      {sent.choice !== "file" ? null : (
        <>
          <div class={`drop${violations.length === 0 ? "" : " wrong"}`}>
            <label for={id} class="button">
              Choose a file of alerts
            </label>
            <input
              id={id}
              class="hidden-words"
              type="file"
              accept=".jsonl,.ndjson,.json,.csv,.txt,.gz"
              aria-invalid={violations.length > 0}
              onChange={(event) => {
                onWork(take(event.currentTarget.files?.[0]))
                event.currentTarget.value = ""
              }}
            />
            {sent.text === "" ? null : <p class="explain">{factsOf(sent)}</p>}
            {violations.length === 0 ? null : <p class="field-error">{violations.join("; ")}</p>}
          </div>
          {sent.text === "" || kindOf(sent.text) === "alerts" ? null : (
            <>
              <TextField
                label="Pair of the list"
                name="alerts.pair"
                value={sent.pair}
                placeholder={pairs[0] ?? "BTC/USDT"}
                list={pairs}
                required={false}
                explain="A list of trades names no pair; empty takes the first pair with prices."
                onValue={(pair) => onSent((sent) => ({ ...sent, pair }))}
              />
              <p class="notice">
                Times in a list of trades are taken as UTC: set the chart's time zone to UTC before you export
                it.
              </p>
            </>
          )}
        </>
      )}
    </Panel>
  )
}

const explain = (choice: string): string => {
  if (choice === "none") return "Without alerts nothing is entered."
  if (choice === "file")
    return "One JSON object a line with time (ms), coin, quote_currency and type, or the list of trades of a charting platform's strategy test as CSV."
  return "Those that came in while there are prices."
}

const factsOf = ({ name, text }: Sent): string => {
  const lines = text.split("\n").filter((line) => line.trim() !== "").length
  return kindOf(text) === "alerts"
    ? `${name}: ${Format.count(lines)} alerts`
    : `${name}: a list of trades with ${Format.count(Math.max(0, lines - 1))} rows`
}
