// Radio buttons and check boxes, each with an explanation.
import { useId } from "preact/hooks"

interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  /** The meaning of the option, in a sentence. */
  readonly explain?: string
}

interface Common<Value extends string> {
  readonly legend: string
  readonly name: string
  readonly options: ReadonlyArray<Option<Value>>
  readonly errors?: ReadonlyArray<string> | undefined
}

interface OneProps<Value extends string> extends Common<Value> {
  readonly value: Value
  readonly onValue: (value: Value) => void
}

/** One of a few options. */
export const OneOf = <Value extends string>({ value, onValue, ...common }: OneProps<Value>) => (
  <Choices {...common} type="radio" isChosen={(it) => it === value} onChoice={(it) => onValue(it)} />
)

interface SomeProps<Value extends string> extends Common<Value> {
  readonly values: ReadonlyArray<Value>
  readonly onValues: (values: ReadonlyArray<Value>) => void
}

/** Any of many options; the values keep the options' order. */
export const SomeOf = <Value extends string>({ values, onValues, ...common }: SomeProps<Value>) => (
  <Choices
    {...common}
    type="checkbox"
    isChosen={(it) => values.includes(it)}
    onChoice={(value, isChosen) =>
      onValues(
        common.options.map((it) => it.value).filter((it) => (it === value ? isChosen : values.includes(it)))
      )
    }
  />
)

interface ChoicesProps<Value extends string> extends Common<Value> {
  readonly type: "radio" | "checkbox"
  readonly isChosen: (value: Value) => boolean
  readonly onChoice: (value: Value, isChosen: boolean) => void
}

const Choices = <Value extends string>({
  legend,
  name,
  options,
  errors = [],
  type,
  isChosen,
  onChoice
}: ChoicesProps<Value>) => {
  const id = useId()
  const isInvalid = errors.length > 0
  return (
    <fieldset class={`field choice-field${isInvalid ? " wrong" : ""}`}>
      <legend>{legend}</legend>
      {isInvalid ? (
        <p class="field-error" id={`${id}-error`}>
          {errors.join("; ")}
        </p>
      ) : null}
      <div class={`choice-list ${type}`}>
        {options.map(({ explain, label, value }) => (
          <label key={value} class="choice">
            <input
              type={type}
              name={name}
              value={value}
              checked={isChosen(value)}
              aria-invalid={isInvalid}
              aria-labelledby={`${id}-${value}`}
              aria-describedby={
                [explain === undefined ? "" : `${id}-${value}-explain`, isInvalid ? `${id}-error` : ""]
                  .join(" ")
                  .trim() || undefined
              }
              onChange={(event) => onChoice(value, event.currentTarget.checked)}
            />
            <span>
              <span class="strong" id={`${id}-${value}`}>
                {label}
              </span>
              {explain === undefined ? null : (
                <span class="explain" id={`${id}-${value}-explain`}>
                  {" "}
                  {explain}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
