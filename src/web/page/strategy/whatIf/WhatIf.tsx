// The tab "What if" of a strategy's page: its own past with other settings, beside what happened. The strategy stays as
// it is; a copy with the changed settings, or a change of the strategy, goes through the ordinary forms.
import { useRef, useState } from "preact/hooks"
import { Elapsed } from "../../backtest/run.tsx"
import { Save } from "../../backtest/Save.tsx"
import { now } from "../../clock.ts"
import { focusFirstError, SelectField } from "../../parts/Field.tsx"
import { GuidePage } from "../../parts/GuideLink.tsx"
import { Empty } from "../../parts/States.tsx"
import { Sentence } from "../../parts/Value.tsx"
import { go } from "../../router.ts"
import { href } from "../../routes.ts"
import { carry } from "../../strategies/carried.ts"
import { Editor } from "../../strategies/Editor.tsx"
import { ErrorSummary } from "../../strategies/ErrorSummary.tsx"
import { useEditing } from "../../strategies/editing.ts"
import type { FieldName } from "../../strategies/fields.ts"
import { changesOf, type Form, formOf, textOf, withText } from "../../strategies/form.ts"
import type { Board } from "../board.ts"
import { Result } from "./Result.tsx"
import { sentence, settingErrors } from "./tried.ts"
import { useTry } from "./useTry.ts"

/** Settings that decide nothing about a trade, and those that the record is of. */
const WITHOUT: ReadonlyArray<FieldName> = [
  "name",
  "description",
  "active",
  "public",
  "signal_id",
  "default_quote_currency"
]

const DAY = 86_400
const SPANS = [
  { value: "", label: "Since it began" },
  { value: "90", label: "Last 90 days" },
  { value: "30", label: "Last 30 days" },
  { value: "7", label: "Last 7 days" }
]

export const WhatIf = ({ board }: { board: Board }) => {
  const id = board.strategy.strategy_id
  // The board is read again and again; what is being typed stays.
  const [before] = useState(() => formOf(board.strategy))
  const editing = useEditing(before, before)
  const { form } = editing
  const [days, setDays] = useState("")
  const [ran, setRan] = useState<{ readonly form: Form; readonly days: string }>()
  const [isSaving, setSaving] = useState(false)
  const [isOpen, setOpen] = useState(true)
  const place = useRef<HTMLFormElement>(null)
  const attempt = useTry(id)
  const { state } = attempt
  const isBusy = state.at === "running"
  const problem = state.at === "failed" ? state.problem : undefined
  const isChanged = Object.keys(changesOf(form, before)).length > 0

  const submit = async () => {
    if (!editing.attempt()) return focusFirstError(place.current)
    setRan({ form, days })
    const from = days === "" ? {} : { from: Math.floor(now() / 1000) - Number(days) * DAY }
    const refused = await attempt.start({ changes: changesOf(form, before), ...from })
    if (refused === undefined) return setOpen(false)
    editing.refuse(settingErrors(refused.errors))
    setOpen(true)
    focusFirstError(place.current)
  }

  return (
    <section class="panel what-if" aria-label="What if" aria-busy={isBusy}>
      <p class="explain">
        Change settings and see what the strategy's own past would have been: the alerts that it answered and
        the recorded candles stay, and so does the strategy.{" "}
        <GuidePage page="differences#what-if">What can be learnt from it?</GuidePage>
      </p>
      <form
        class="form strategy-form"
        aria-label="Changed settings"
        ref={place}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {problem === undefined ? null : (
          <ErrorSummary errors={editing.errors} problem={problem} form={place.current} />
        )}
        <details class="settings" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{isOpen ? "Hide the settings" : "Change the settings"}</summary>
          <div class="form">
            <Editor form={form} onForm={editing.setForm} errors={editing.errors} without={WITHOUT} />
          </div>
        </details>
        <div class="filters">
          <SelectField label="Time" value={days} onValue={setDays} disabled={isBusy} options={SPANS} />
          {/* Keys keep the buttons apart: otherwise a press on one could submit the other in its place. */}
          {isBusy ? (
            <button key="stop" type="button" class="button" onClick={attempt.stop}>
              Stop
            </button>
          ) : (
            <button key="run" type="submit" class="button primary">
              Try it
            </button>
          )}
          <button
            type="button"
            class="button"
            disabled={isBusy || !isChanged}
            onClick={() => editing.setForm(before)}
          >
            Back to the present settings
          </button>
        </div>
        <span class="quiet" role="status">
          {state.at === "running" ? <Elapsed since={state.since} /> : null}
          {state.at === "stopped" ? "Stopped." : null}
        </span>
      </form>
      {state.at !== "done" ? null : state.answer.what_if === null ? (
        <Empty title="There is nothing to try">
          <p>
            <Sentence text={sentence(state.answer.reason ?? "")} />
          </p>
        </Empty>
      ) : (
        <Result
          of={state.answer.what_if}
          isStale={ran?.form !== form || ran.days !== days}
          onCopy={() => setSaving(true)}
          onApply={() => {
            carry(id, form)
            go(href("strategies", [id, "edit"]))
          }}
        />
      )}
      {isSaving ? (
        <Save
          form={withText(form, "name", `${textOf(form, "name").slice(0, 240)} (what if)`)}
          onClose={() => setSaving(false)}
          onRefused={editing.refuse}
        />
      ) : null}
    </section>
  )
}
