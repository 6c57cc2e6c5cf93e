// A strategy's settings, read-only. Settings that depend on a switch appear while it is on.
import type { ComponentChildren } from "preact"
import { dependents, type FieldName, fieldOf } from "../strategies/fields.ts"
import { type Form, formOf, isOn, type Stored, storedOf } from "../strategies/form.ts"
import { GROUPS } from "../strategies/groups.ts"
import { settingText } from "../strategies/settingText.ts"
import type { Board } from "./board.ts"

interface Props {
  readonly strategy: Stored
  readonly signal: Board["signal"]
  /** Settings that are shown elsewhere. */
  readonly without?: ReadonlyArray<FieldName>
}

export const SettingsList = ({ strategy, signal, without = [] }: Props) => {
  const form = formOf(strategy)
  return (
    <div class="columns settings-list">
      {GROUPS.map(({ title, fields }) => (
        <section key={title} class="panel" aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {fields
              .filter((name) => !without.includes(name))
              .flatMap((name) => [name, ...(isOn(form, name) ? dependents(name) : [])])
              .map((name) => (
                <Setting key={name} name={name} form={form}>
                  {valueOf(strategy, name, signal)}
                </Setting>
              ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

const Setting = ({ name, children }: { name: FieldName; form: Form; children: ComponentChildren }) => {
  const field = fieldOf(name)
  return (
    <div class={field.with === undefined ? "setting" : "setting inner"}>
      <dt>{field.label}</dt>
      <dd title={field.explain}>{children}</dd>
    </div>
  )
}

const valueOf = (strategy: Stored, name: FieldName, signal: Board["signal"]): ComponentChildren => {
  const value = storedOf(strategy, name)
  if (name === "exchanges")
    return strategy.exchanges.map(({ coin_pairs, exchange_name }) => (
      <p key={exchange_name}>
        <span class="strong">{exchange_name}</span> {coin_pairs.join(", ")}
      </p>
    ))
  if (name === "signal_id") return value === null ? "none" : (signal?.name ?? `Signal ${value}`)
  return settingText(name, value)
}
