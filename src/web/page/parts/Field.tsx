// Form fields, each with label, explanation and errors, connected for screen readers.
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { numbers } from "./reader/number.ts"

interface Common {
  readonly label: string
  /** The effect of the field, in a sentence. */
  readonly explain?: ComponentChildren
  /** The error of the value, from `Problem.errors`. */
  readonly errors?: ReadonlyArray<string> | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  /** The field's name in the request; `focusFirstError` and tests find it by this. */
  readonly name?: string | undefined
}

interface Frame extends Common {
  readonly id: string
  readonly children: ComponentChildren
}

const describedBy = (id: string, { errors, explain }: Common) =>
  [explain === undefined ? "" : `${id}-explain`, errors === undefined ? "" : `${id}-error`]
    .join(" ")
    .trim() || undefined

const Errors = ({ id, errors }: { id: string; errors: Common["errors"] }) =>
  errors === undefined || errors.length === 0 ? null : (
    <p class="field-error" id={`${id}-error`}>
      {errors.join("; ")}
    </p>
  )

const Frame = ({ id, label, explain, errors, required, children }: Frame) => (
  <div class={`field${errors === undefined || errors.length === 0 ? "" : " wrong"}`}>
    <label for={id}>
      {label}
      {required === false ? <span class="quiet"> (optional)</span> : null}
    </label>
    {children}
    <Errors id={id} errors={errors} />
    {explain === undefined ? null : (
      <p class="explain" id={`${id}-explain`}>
        {explain}
      </p>
    )}
  </div>
)

const attributes = (id: string, props: Common) => ({
  id,
  name: props.name,
  disabled: props.disabled,
  "aria-describedby": describedBy(id, props),
  "aria-invalid": (props.errors?.length ?? 0) > 0
})

interface TextProps extends Common {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: "text" | "password" | "url" | "search" | "date" | "datetime-local"
  readonly placeholder?: string | undefined
  readonly maxLength?: number
  readonly autocomplete?: string
  readonly list?: ReadonlyArray<string>
}

export const TextField = (props: TextProps) => {
  const id = useId()
  return (
    <Frame {...props} id={id}>
      <input
        {...attributes(id, props)}
        type={props.type ?? "text"}
        value={props.value}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        autoComplete={props.autocomplete ?? "off"}
        spellcheck={false}
        list={props.list === undefined ? undefined : `${id}-list`}
        onInput={(event) => props.onValue(event.currentTarget.value)}
      />
      {props.list === undefined ? null : (
        <datalist id={`${id}-list`}>
          {props.list.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </Frame>
  )
}

interface NumberProps extends Common {
  /** As typed; the form validates it. */
  readonly value: string
  readonly onValue: (value: string) => void
  /** The unit shown after the number: `%`, `minutes`. */
  readonly unit?: string
  readonly whole?: boolean
  readonly placeholder?: string | undefined
}

/** Told to readers whose own decimals have another sign than the dot. */
const DOT = numbers.point === "." ? "" : "Decimals with a dot: 1234.5."

/** A number, kept as text so that nothing a user types is lost or rounded. */
export const NumberField = (given: NumberProps) => {
  const id = useId()
  const props = given.whole === true || DOT === "" ? given : { ...given, explain: dotted(given.explain) }
  return (
    <Frame {...props} id={id}>
      <span class="with-unit">
        <input
          {...attributes(id, props)}
          type="text"
          inputMode={props.whole === true ? "numeric" : "decimal"}
          value={props.value}
          placeholder={props.placeholder}
          autoComplete="off"
          onInput={(event) => props.onValue(event.currentTarget.value)}
        />
        {props.unit === undefined ? null : <span class="unit">{props.unit}</span>}
      </span>
    </Frame>
  )
}

const dotted = (explain: ComponentChildren) => (
  <>
    {explain} {DOT}
  </>
)

interface SelectProps extends Common {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly options: ReadonlyArray<{
    readonly value: string
    readonly label: string
    readonly disabled?: boolean
  }>
}

export const SelectField = (props: SelectProps) => {
  const id = useId()
  return (
    <Frame {...props} id={id}>
      <select
        {...attributes(id, props)}
        value={props.value}
        onChange={(event) => props.onValue(event.currentTarget.value)}
      >
        {props.options.map(({ disabled, label, value }) => (
          <option key={value} value={value} disabled={disabled}>
            {label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

interface AreaProps extends Common {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly rows?: number
  readonly maxLength?: number
  readonly mono?: boolean
  /** Called with the text and the characters before the cursor, when either changes. */
  readonly onPlace?: (text: string, place: number) => void
  readonly placeholder?: string | undefined
}

export const TextAreaField = (props: AreaProps) => {
  const id = useId()
  return (
    <Frame {...props} id={id}>
      <textarea
        {...attributes(id, props)}
        class={props.mono === true ? "mono" : undefined}
        rows={props.rows ?? 3}
        maxLength={props.maxLength}
        placeholder={props.placeholder}
        value={props.value}
        onInput={({ currentTarget }) => {
          props.onValue(currentTarget.value)
          props.onPlace?.(currentTarget.value, currentTarget.selectionStart)
        }}
        onSelect={({ currentTarget }) => props.onPlace?.(currentTarget.value, currentTarget.selectionStart)}
      />
    </Frame>
  )
}

interface SwitchProps extends Common {
  readonly value: boolean
  readonly onValue: (value: boolean) => void
  /** Fields that depend on the switch; shown while it is on. */
  readonly children?: ComponentChildren
}

/** A switch and its dependent fields. */
export const SwitchField = (props: SwitchProps) => {
  const id = useId()
  const { children, errors, explain, label, onValue, value } = props
  return (
    <div class={`field switch-field${(errors?.length ?? 0) === 0 ? "" : " wrong"}`}>
      <span class="switch-line">
        <input
          {...attributes(id, props)}
          type="checkbox"
          role="switch"
          class="switch"
          aria-checked={value}
          checked={value}
          onChange={(event) => onValue(event.currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </span>
      <Errors id={id} errors={errors} />
      {explain === undefined ? null : (
        <p class="explain" id={`${id}-explain`}>
          {explain}
        </p>
      )}
      {value && children !== undefined ? <div class="dependent">{children}</div> : null}
    </div>
  )
}

/** Focuses the first field with an error after the form has rendered. */
export const focusFirstError = (form: HTMLElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
}
