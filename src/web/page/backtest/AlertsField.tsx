// The alerts of a back-test: recorded ones of a strategy or signal, a file, or a rule that raises them.
import { useId, useState } from "preact/hooks"
import { call } from "../client.ts"
import { SelectField, TextAreaField, TextField } from "../parts/Field.tsx"
import * as Format from "../parts/format.ts"
import { GuidePage } from "../parts/GuideLink.tsx"
import { Panel } from "../parts/PageHead.tsx"
import { useQuery } from "../query.ts"
import type { Errors } from "../strategies/form.ts"
import { kindOf, textOf } from "./files.ts"
import { errorsUnder, type Sent } from "./setup.ts"

interface Props {
  readonly sent: Sent
  readonly onSent: (change: (sent: Sent) => Sent) => void
  /** Called with the reading of a file, until which the back-test waits. */
  readonly onWork: (work: Promise<void>) => void
  /** The chosen strategy, if it follows a signal. */
  readonly strategy: { readonly id: number; readonly name: string } | undefined
  /** The pairs with candles. */
  readonly pairs: ReadonlyArray<string>
  readonly errors: Errors
}

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
      : [{ value: `strategy:${strategy.id}`, label: `Recorded: for strategy ${strategy.name}` }]),
    ...(signals.data?.data ?? []).map(({ id, name }) => ({
      value: `signal:${id}`,
      label: `Recorded: signal ${name}`
    })),
    { value: "file", label: "A file: alerts, or a list of trades" },
    { value: "rule", label: "A rule, which raises them by itself" }
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
    <Panel title="Alerts" actions={<GuidePage page="backtests#alerts">More about alerts</GuidePage>}>
      <SelectField
        label="Source"
        name="alerts"
        value={sent.choice}
        options={options}
        explain={explain(sent.choice)}
        errors={sent.choice === "file" || violations.length === 0 ? undefined : violations}
        onValue={(choice) => onSent((sent) => ({ ...sent, choice }))}
      />
      {sent.choice !== "rule" ? null : (
        <TextAreaField
          label="Rule"
          name="rule"
          value={sent.rule}
          rows={14}
          mono
          placeholder={RULE}
          explain="The JSON of a signal's rule. It looks at the prices given here, joined into candles of its timeframe."
          errors={errorsUnder(errors, "rule")}
          onValue={(rule) => onSent((sent) => ({ ...sent, rule }))}
        />
      )}
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
                Times in a list of trades are read as UTC: set the chart's time zone to UTC before exporting
                it.
              </p>
            </>
          )}
        </>
      )}
    </Panel>
  )
}

/** What a rule looks like. */
const RULE = JSON.stringify(
  {
    markets: [{ exchange: "binance", kind: "spot", pairs: ["BTC/USDT"] }],
    timeframe: "1h",
    params: { fast: 9, slow: 21 },
    on: [
      { type: "buy", when: "crossover(ema(close, fast), ema(close, slow))", sl: "close - 2 * atr(14)" },
      { type: "sell", when: "crossunder(ema(close, fast), ema(close, slow))" }
    ]
  },
  null,
  2
)

const explain = (choice: string): string => {
  if (choice === "none") return "Without alerts no position is opened."
  if (choice === "rule") return "Conditions on candles raise the alerts at the close of each."
  if (choice === "file")
    return "One JSON object a line with time (ms), coin, quote_currency and type, or the list of trades of a charting platform's strategy test as CSV."
  return "The alerts that arrived within the time of the prices."
}

const factsOf = ({ name, text }: Sent): string => {
  const lines = text.split("\n").filter((line) => line.trim() !== "").length
  return kindOf(text) === "alerts"
    ? `${name}: ${Format.count(lines)} alerts`
    : `${name}: a list of trades with ${Format.count(Math.max(0, lines - 1))} rows`
}
