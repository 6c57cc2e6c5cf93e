// One entry of a rule: the type of its alert, its condition, and what the alert holds.
import { goesWith } from "../../../../domain/alert/AlertExtras.ts"
import { SelectField, TextAreaField } from "../../parts/Field.tsx"
import { TYPES } from "../alert.ts"
import { type Checked, type Cursor, fieldOf, stepOf } from "./checking.ts"
import { type EntryDraft, stepsOf } from "./draft.ts"
import { ExpressionField } from "./ExpressionField.tsx"

interface Props {
  readonly number: number
  readonly entry: EntryDraft
  readonly checked: Checked
  readonly onEntry: (entry: EntryDraft) => void
  readonly onRemove: (() => void) | undefined
  readonly onCursor: (cursor: Cursor) => void
}

export const EntryFields = ({ checked, entry, number, onCursor, onEntry, onRemove }: Props) => {
  const field = (name: "when" | "sl" | "tp" | "size" | "part", label: string, explain: string) => (
    <ExpressionField
      field={fieldOf(entry.key, name)}
      label={label}
      value={entry[name]}
      onValue={(value) => onEntry({ ...entry, [name]: value })}
      onCursor={onCursor}
      checked={checked}
      required={name === "when"}
      explain={explain}
    />
  )
  return (
    <fieldset class="rule-entry">
      <legend>Condition {number}</legend>
      <SelectField
        name={`${entry.key}.type`}
        label="Alert"
        value={entry.type}
        onValue={(chosen) => onEntry({ ...entry, type: TYPES.find((it) => it === chosen) ?? entry.type })}
        options={TYPES.map((value) => ({ value, label: value.replace("_", " ") }))}
      />
      {field("when", "When", "A condition, such as crossover(ema(close, 9), ema(close, 21)).")}
      {goesWith("close_percent", entry.type) ? (
        field("part", "Part to close", "In percent of what is held; empty closes all of it.")
      ) : (
        <>
          {field("sl", "Stop loss", "A price, such as close - 2 * atr(14).")}
          {field("tp", "Take profit", "A price; empty leaves it to the strategy.")}
          <Steps entry={entry} checked={checked} onEntry={onEntry} />
          {field("size", "Buy size", "In percent of the balance; empty leaves it to the strategy.")}
          {goesWith("reverse", entry.type) ? <Turn entry={entry} onEntry={onEntry} /> : null}
        </>
      )}
      {onRemove === undefined ? null : (
        <button type="button" class="button small" onClick={onRemove}>
          Remove condition {number}
        </button>
      )}
    </fieldset>
  )
}

/** A ladder of targets, one step a line. */
const Steps = ({ checked, entry, onEntry }: Pick<Props, "checked" | "entry" | "onEntry">) => {
  const errors = stepsOf(entry.steps).flatMap(({ percent }, index) => {
    if (Number.isNaN(percent)) return [`step ${index + 1}: write it as 50 % at close + atr(14)`]
    const error = checked.findings.get(stepOf(entry.key, index))?.error
    return error === undefined || error === null
      ? []
      : [`step ${index + 1}, column ${error.column} of its price: ${error.text}`]
  })
  return (
    <TextAreaField
      name={`${entry.key}.steps`}
      label="Targets in steps"
      required={false}
      mono
      rows={2}
      value={entry.steps}
      onValue={(steps) => onEntry({ ...entry, steps })}
      placeholder="50 % at close + 2 * atr(14)"
      errors={errors.length === 0 ? undefined : errors}
      explain="In place of the take profit, one a line: the part to close, and the price."
    />
  )
}

/** What happens to a position of the other side. */
const Turn = ({ entry, onEntry }: Pick<Props, "entry" | "onEntry">) => (
  <SelectField
    name={`${entry.key}.reverse`}
    label="Other side"
    value={entry.reverse}
    onValue={(text) => onEntry({ ...entry, reverse: text === "yes" || text === "no" ? text : "" })}
    options={[
      { value: "", label: "As the strategy says" },
      { value: "yes", label: "Close it first, then open" },
      { value: "no", label: "Leave it as it is" }
    ]}
    explain="What happens to a position of the pair's other side."
  />
)
