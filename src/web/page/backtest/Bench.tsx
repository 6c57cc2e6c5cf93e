// The form of a back-test and its result: strategy settings, prices, alerts and balance.
import type { ComponentChildren } from "preact"
import { useRef, useState } from "preact/hooks"
import type { Problem } from "../Problem.ts"
import { focusFirstError, NumberField } from "../parts/Field.tsx"
import * as Format from "../parts/format.ts"
import { Panel } from "../parts/PageHead.tsx"
import { Notice } from "../parts/Toast.tsx"
import { Editor } from "../strategies/Editor.tsx"
import { useEditing } from "../strategies/editing.ts"
import type { FieldName } from "../strategies/fields.ts"
import { bodyOf, type Errors, type Form, textOf, withSwitch, withText } from "../strategies/form.ts"
import { AlertsField } from "./AlertsField.tsx"
import { CandlesField } from "./CandlesField.tsx"
import { FillsField } from "./FillsField.tsx"
import { OFF } from "./fills.ts"
import { Result } from "./Result.tsx"
import { Elapsed, useRun } from "./run.tsx"
import { Save } from "./Save.tsx"
import { missing, pairOf, payloadOf, type Setup, strategyErrors } from "./setup.ts"

/** The settings under test: those of a stored strategy, or blank ones. */
export interface Picked {
  readonly strategy: { readonly id: number; readonly name: string } | undefined
  readonly form: Form
  readonly followsSignal: boolean
}

/** Settings without effect in a back-test. */
const WITHOUT: ReadonlyArray<FieldName> = ["name", "description", "active", "public", "signal_id"]

export const Bench = ({ picker, picked }: { picker: ComponentChildren; picked: Picked }) => {
  const editing = useEditing(tested(picked.form))
  const [setup, setSetup] = useState<Setup>(() => initial(picked))
  const [own, setOwn] = useState<Errors>({})
  const [isOpen, setOpen] = useState(picked.strategy === undefined)
  const [isSaving, setSaving] = useState(false)
  const [ran, setRan] = useState<{ readonly form: Form; readonly setup: Setup }>()
  const place = useRef<HTMLFormElement>(null)
  const { form } = editing
  const run = useRun()
  const busy = run.state.at === "running"
  const [reading, setReading] = useState(0)
  /** The number of files still being read; the back-test waits for them. */
  const whileReading = async (work: Promise<void>) => {
    setReading((count) => count + 1)
    await work
    setReading((count) => count - 1)
  }
  const listed = [...new Set(form.exchanges.flatMap(({ coin_pairs }) => coin_pairs))]
  const refused = run.state.at === "failed" ? run.state.problem : undefined
  const errors = { ...refused?.errors, ...own }

  // An update function, because a file may finish reading after other changes.
  const change = (next: (setup: Setup) => Partial<Setup>) => {
    setSetup((setup) => ({ ...setup, ...next(setup) }))
    setOwn({})
    run.forget()
  }
  const submit = async () => {
    const gaps = missing(setup)
    setOwn(gaps)
    const isSound = editing.attempt()
    if (!isSound) setOpen(true)
    if (!isSound || Object.keys(gaps).length > 0) return focusFirstError(place.current)
    setRan({ form, setup })
    const problem = await run.start(payloadOf(bodyOf(form), setup))
    if (problem === undefined) return
    const refusals = strategyErrors(problem.errors)
    editing.refuse(refusals)
    if (Object.keys(refusals).length > 0) setOpen(true)
    focusFirstError(place.current)
  }

  return (
    <>
      <form
        class="bench"
        aria-label="Back-test"
        ref={place}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Panel title="Settings">
          {picker}
          <details class="settings" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>{isOpen ? "Hide the settings" : "Change the settings"}</summary>
            <div class="form">
              <Editor form={form} onForm={editing.setForm} errors={editing.errors} without={WITHOUT} />
            </div>
          </details>
        </Panel>
        <CandlesField
          sources={setup.sources}
          onSources={(next) => change(({ sources }) => ({ sources: next(sources) }))}
          onWork={whileReading}
          pairs={listed}
          errors={errors}
        />
        <AlertsField
          sent={setup.sent}
          onSent={(next) => change(({ sent }) => ({ sent: next(sent) }))}
          onWork={whileReading}
          strategy={picked.followsSignal ? picked.strategy : undefined}
          pairs={setup.sources.map(pairOf)}
          errors={errors}
        />
        <Panel title="Balance">
          <NumberField
            label="Starting balance"
            name="balance"
            value={setup.balance}
            unit={textOf(form, "default_quote_currency")}
            placeholder={USUAL[textOf(form, "default_quote_currency")] ?? ""}
            required={false}
            errors={errors["balance"]}
            onValue={(balance) => change(() => ({ balance }))}
          />
        </Panel>
        <FillsField
          typed={setup.fills}
          onTyped={(typed) => change(({ fills }) => ({ fills: { ...fills, ...typed } }))}
          errors={errors}
        />
        {refused === undefined ? null : <Notice tone="bad">{wordsOf(refused)}</Notice>}
        <div class="save-bar">
          <span class="quiet" role="status">
            {run.state.at === "running" ? <Elapsed since={run.state.since} /> : null}
            {run.state.at === "stopped" ? "Stopped." : null}
            {reading > 0 ? "Reading files…" : null}
          </span>
          <button type="button" class="button" disabled={busy} onClick={() => setSaving(true)}>
            Save as strategy…
          </button>
          {/* Keys keep these two buttons apart: otherwise a press on one could submit the other in its place. */}
          {busy ? (
            <button key="stop" type="button" class="button" onClick={run.stop}>
              Stop
            </button>
          ) : (
            <button key="run" type="submit" class="button primary" disabled={reading > 0}>
              Run back-test
            </button>
          )}
        </div>
      </form>
      {run.state.at === "done" ? (
        <Result
          result={run.state.result}
          took={seconds(run.state.result.elapsed_ms)}
          isStale={ran?.form !== form || ran.setup !== setup}
          strategy={ran === undefined ? undefined : bodyOf(ran.form)}
        />
      ) : null}
      {isSaving ? <Save form={form} onClose={() => setSaving(false)} onRefused={editing.refuse} /> : null}
    </>
  )
}

/** Messages about fields stand beside their fields. */
const wordsOf = ({ errors, message }: Problem): string =>
  Object.keys(errors).length === 0 ? message : "The back-test did not run: correct the marked fields."

const seconds = (ms: number): string =>
  ms < 1000 ? `${Format.count(ms)} ms` : `${Format.exact(Math.round(ms / 100) / 10)} s`

/** The default starting balances. */
const USUAL: Readonly<Record<string, string>> = { USDT: "10000", USD: "10000", BTC: "1", ETH: "10" }

/** Test the settings as active: an inactive strategy opens nothing. */
const tested = (form: Form): Form =>
  withSwitch(textOf(form, "name") === "" ? withText(form, "name", "Back-test") : form, "active", true)

const initial = ({ followsSignal, strategy }: Picked): Setup => ({
  sources: [],
  sent: {
    choice: followsSignal && strategy !== undefined ? `strategy:${strategy.id}` : "file",
    name: "",
    text: "",
    pair: "",
    rule: ""
  },
  balance: "",
  fills: OFF
})
