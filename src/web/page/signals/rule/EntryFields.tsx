// One entry of a rule: the type of its alert, its condition, and what the alert holds.
import { goesWith } from "../../../../domain/alert/AlertExtras.ts"
import { SelectField } from "../../parts/Field.tsx"
import { TYPES } from "../alert.ts"
import { type Checked, type Cursor, fieldOf } from "./checking.ts"
import type { EntryDraft } from "./draft.ts"
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
          {field("size", "Buy size", "In percent of the balance; empty leaves it to the strategy.")}
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
