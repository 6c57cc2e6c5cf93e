// The form of all strategy settings, in groups, with explanations and warnings. Settings that depend on a switch
// appear with it.
import { EXCHANGE_NAMES } from "../../../domain/internal/ExchangeFacts.ts"
import { call } from "../client.ts"
import { NumberField, SelectField, SwitchField, TextAreaField, TextField } from "../parts/Field.tsx"
import { More } from "../parts/GuideLink.tsx"
import { Notice } from "../parts/Toast.tsx"
import { useQuery } from "../query.ts"
import { boundsText } from "./bounds.ts"
import { contradictions } from "./contradictions.ts"
import { dependents, type FieldName, fieldOf, fullLabel } from "./fields.ts"
import {
  bodyOf,
  type Errors,
  type Form,
  isOn,
  textOf,
  withExchanges,
  withSteps,
  withSwitch,
  withText
} from "./form.ts"
import { GROUPS } from "./groups.ts"
import { ListingsField } from "./ListingsField.tsx"
import { SignalField } from "./SignalField.tsx"
import { Statement } from "./Statement.tsx"
import { StepsField } from "./StepsField.tsx"

interface Props {
  readonly form: Form
  readonly onForm: (form: Form) => void
  /** Errors by field of the request. */
  readonly errors: Errors
  /** Settings that this form leaves out. */
  readonly without?: ReadonlyArray<FieldName>
}

export const Editor = ({ form, onForm, errors, without = [] }: Props) => {
  const exchanges = useQuery("exchanges", (signal) => call("operator", "exchanges", { signal }))
  const preferred = exchanges.data?.data.find(({ name }) => name === textOf(form, "default_exchange_name"))
  const warnings = contradictions(form, preferred?.taker_fee)
  const fees = { maker_fee: preferred?.maker_fee, taker_fee: preferred?.taker_fee }

  const offered: Partial<Record<FieldName, ReadonlyArray<string> | undefined>> = {
    default_exchange_name: exchanges.data?.data.map((it) => it.name),
    default_quote_currency: exchanges.data?.quote_currencies
  }

  /** The options of a choice: what this server lists, and what the strategy has already, listed or not. */
  const optionsOf = (name: FieldName, usual: ReadonlyArray<string>): ReadonlyArray<string> => {
    return [...new Set([...(offered[name] ?? usual), textOf(form, name)])].filter((value) => value !== "")
  }

  const control = (name: FieldName) => {
    if (without.includes(name)) return null
    const field = fieldOf(name)
    const bounds = field.kind === "number" ? ` ${capitalised(boundsText(field.bounds))}.` : ""
    const explain = (
      <>
        {field.explain}
        {bounds} <More page="bots" id={name} about={fullLabel(name)} />
      </>
    )
    const common = { key: name, name, label: field.label, explain, errors: errors[name] }
    const text = {
      ...common,
      value: textOf(form, name),
      onValue: (value: string) => onForm(withText(form, name, value))
    }
    switch (field.kind) {
      case "text":
        return <TextField {...text} />
      case "area":
        return <TextAreaField {...text} required={field.needed} rows={2} />
      case "choice":
        return (
          <SelectField
            {...text}
            options={optionsOf(name, field.options).map((value) => ({
              value,
              label: field.titles?.[value] ?? value
            }))}
          />
        )
      case "number": {
        const fee = name === "maker_fee" || name === "taker_fee" ? fees[name] : undefined
        return (
          <NumberField
            {...text}
            unit={field.unit}
            whole={"whole" in field.bounds}
            required={field.needed}
            placeholder={fee === undefined ? undefined : String(fee)}
          />
        )
      }
      case "switch":
        return (
          <SwitchField
            {...common}
            value={isOn(form, name)}
            onValue={(on) => onForm(withSwitch(form, name, on))}
          >
            {dependents(name).length === 0 ? undefined : dependents(name).map(control)}
          </SwitchField>
        )
      case "signal":
        return <SignalField {...text} />
      case "steps":
        return (
          <StepsField {...common} value={form.steps} onValue={(steps) => onForm(withSteps(form, steps))} />
        )
      case "listings":
        return (
          <ListingsField
            {...common}
            value={form.exchanges}
            onValue={(listings) => onForm(withExchanges(form, listings))}
            quote={textOf(form, "default_quote_currency")}
            exchanges={exchanges.data?.data ?? EXCHANGE_NAMES.map((name) => ({ name, active: true }))}
          />
        )
    }
  }

  return (
    <>
      {GROUPS.map(({ title, lead, fields }) => {
        const shown = fields.filter((name) => !without.includes(name))
        const clashing = warnings.filter(({ field }) =>
          shown.some((name) => name === field || dependents(name).includes(field))
        )
        return shown.length === 0 ? null : (
          <fieldset key={title} class="panel form-group">
            <legend>
              <h2>{title}</h2>
            </legend>
            {lead === undefined ? null : <p class="lead">{lead}</p>}
            {clashing.map(({ code, text }) => (
              <Notice key={code} tone="warn">
                {capitalised(text)}.
              </Notice>
            ))}
            <div class={title === "Basics" || title === "Fees" ? "fields" : "form"}>{shown.map(control)}</div>
          </fieldset>
        )
      })}
      <Statement of={bodyOf(form)} />
    </>
  )
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
