// A text area for an expression: what it says below it, or the error with a caret below its column, and what may stand
// at the cursor.
import { TextAreaField } from "../../parts/Field.tsx"
import type { Checked, Cursor, Finding } from "./checking.ts"

interface Props {
  readonly field: string
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly onCursor: (cursor: Cursor) => void
  readonly checked: Checked
  readonly required?: boolean
  readonly explain?: string
  readonly placeholder?: string
}

export const ExpressionField = (props: Props) => {
  const { checked, explain, field, label, onCursor, onValue, value } = props
  const finding = value.trim() === "" ? undefined : checked.findings.get(field)
  const error = finding?.error ?? undefined
  return (
    <div class="expression">
      <TextAreaField
        name={field}
        label={label}
        required={props.required ?? true}
        mono
        rows={value.length > 70 ? 3 : 2}
        value={value}
        placeholder={props.placeholder}
        onValue={onValue}
        onPlace={(text, place) => onCursor({ field, text, place })}
        errors={error === undefined ? undefined : [`column ${error.column}: ${error.text}`]}
        explain={finding === undefined || error !== undefined ? explain : meaningOf(finding)}
      />
      {error === undefined ? null : <Caret text={value} column={error.column} />}
      <Offers {...props} />
    </div>
  )
}

/** What an expression says and needs. */
const meaningOf = ({ warmups, words }: Finding): string => {
  const needs = warmups
    .filter(({ anchored, candles }) => anchored || candles > 1)
    .map(({ anchored, candles, timeframe }) =>
      anchored ? `all candles of ${timeframe} since its anchor` : `${candles} candles of ${timeframe}`
    )
  return needs.length === 0 ? `${words}.` : `${words}; needs ${needs.join(" and ")}.`
}

/** The line with the error, and a caret below the column. Readers of screens hear the column. */
const Caret = ({ column, text }: { text: string; column: number }) => {
  const start = text.lastIndexOf("\n", column - 2) + 1
  const from = Math.max(start, column - 1 - AROUND)
  const line = text.slice(from, column - 1 + AROUND).split("\n")[0] ?? ""
  return (
    <pre class="caret" aria-hidden="true">
      {`${line}\n${" ".repeat(column - 1 - from)}^`}
    </pre>
  )
}
/** The characters that are shown on either side. */
const AROUND = 24

/** What may stand at the cursor, while somebody writes here. */
const Offers = ({ checked: { completions, cursor }, field, label, onValue, value }: Props) => {
  if (cursor === undefined || cursor.field !== field || cursor.text !== value || completions.length === 0)
    return null
  const isBeginning = completions.every(({ from }) => from === cursor.place)
  if (isBeginning && value.trim() !== "") return null
  return (
    <ul class="offers" aria-label={`What may stand here in ${label}`}>
      {completions.slice(0, MOST_OFFERS).map(({ about, detail, from, insert }) => (
        <li key={detail}>
          <button
            type="button"
            class="button small"
            title={about}
            onClick={() => onValue(`${value.slice(0, from)}${insert}${value.slice(cursor.place)}`)}
          >
            {detail}
          </button>
        </li>
      ))}
    </ul>
  )
}
/** The most offers that are shown. */
const MOST_OFFERS = 6
