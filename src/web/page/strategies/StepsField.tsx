// The take profit steps: a row for each, read as "sells 40 % at 2 % profit", and what the parts add up to.
import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import { MOST_STEPS } from "./fields.ts"
import { EMPTY_STEP, errorsAt, STEP_FIELDS, type StepField, type StepRow, totalText } from "./steps.ts"

interface Props {
  readonly name: string
  readonly label: string
  readonly explain: ComponentChildren
  readonly errors: ReadonlyArray<string> | undefined
  readonly value: ReadonlyArray<StepRow>
  readonly onValue: (value: ReadonlyArray<StepRow>) => void
}

export const StepsField = ({ name, label, explain, errors = [], value, onValue }: Props) => {
  const id = useId()
  const place = useRef<HTMLFieldSetElement>(null)
  const together = errorsAt(errors)
  /** Moves the focus once the rows are drawn: a removed row takes its button with it. */
  const focus = (selector: string) =>
    requestAnimationFrame(() => place.current?.querySelector<HTMLElement>(selector)?.focus())
  const isFull = value.length >= MOST_STEPS
  return (
    <fieldset
      ref={place}
      class={`field profit-steps${errors.length > 0 ? " wrong" : ""}`}
      aria-describedby={`${id}-explain ${id}-total${together.length > 0 ? ` ${id}-error` : ""}`}
    >
      <legend>
        {label}
        <span class="quiet"> (optional)</span>
      </legend>
      {value.length === 0 ? null : (
        <ol class="step-rows">
          {value.map((row, index) => (
            <Row
              key={index}
              name={`${name}[${index}]`}
              index={index}
              row={row}
              errors={errors}
              onRow={(next) => onValue(value.map((it, at) => (at === index ? next : it)))}
              onRemove={() => {
                onValue(value.filter((_, at) => at !== index))
                focus(".add-step")
              }}
            />
          ))}
        </ol>
      )}
      <p class="step-total">
        <button
          type="button"
          class="button small add-step"
          name={name}
          aria-invalid={together.length > 0}
          disabled={isFull}
          onClick={() => {
            onValue([...value, EMPTY_STEP])
            focus(`[name="${name}[${value.length}].close_percent"]`)
          }}
        >
          Add a step
        </button>
        <span id={`${id}-total`} class="quiet" role="status">
          {totalText(value)}
          {isFull ? ` ${MOST_STEPS} steps at most.` : ""}
        </span>
      </p>
      {together.length === 0 ? null : (
        <p class="field-error" id={`${id}-error`}>
          {together.join("; ")}
        </p>
      )}
      <p class="explain" id={`${id}-explain`}>
        {explain}
      </p>
    </fieldset>
  )
}

interface RowProps {
  readonly name: string
  readonly index: number
  readonly row: StepRow
  readonly errors: ReadonlyArray<string>
  readonly onRow: (row: StepRow) => void
  readonly onRemove: () => void
}

const BEFORE: Readonly<Record<StepField, string>> = { close_percent: "sells", profit_percent: "at" }
const AFTER: Readonly<Record<StepField, string>> = { close_percent: "%", profit_percent: "% profit" }
const TITLES: Readonly<Record<StepField, string>> = {
  close_percent: "part to sell in percent",
  profit_percent: "profit in percent"
}

const Row = ({ name, index, row, errors, onRow, onRemove }: RowProps) => {
  const id = useId()
  const step = `Step ${index + 1}`
  return (
    <li class="step-row">
      <span class="step-number">{step}</span>
      {STEP_FIELDS.map((field) => {
        const own = errorsAt(errors, { index, name: field })
        return (
          <span key={field} class="step-part">
            <span class="step-value">
              <span aria-hidden="true">{BEFORE[field]}</span>
              <input
                type="text"
                inputMode="decimal"
                autoComplete="off"
                name={`${name}.${field}`}
                value={row[field]}
                class={own.length > 0 ? "wrong-value" : undefined}
                aria-label={`${step}: ${TITLES[field]}`}
                aria-invalid={own.length > 0}
                aria-describedby={own.length > 0 ? `${id}-${field}` : undefined}
                onInput={(event) => onRow({ ...row, [field]: event.currentTarget.value })}
              />
              <span class="unit" aria-hidden="true">
                {AFTER[field]}
              </span>
            </span>
            {own.length === 0 ? null : (
              <span class="field-error" id={`${id}-${field}`}>
                {own.join("; ")}
              </span>
            )}
          </span>
        )
      })}
      <button
        type="button"
        class="button small ghost"
        aria-label={`Remove step ${index + 1}`}
        onClick={onRemove}
      >
        Remove
      </button>
    </li>
  )
}
