// The form with a template's settings. Markets, fees and signal stay as they are. Pure.
import {
  type StrategyTemplate,
  TEMPLATE_KEYS,
  TEMPLATES,
  type TemplateKey
} from "../../../../domain/requests/StrategyTemplates.ts"
import { dependents, type FieldName, fieldOf } from "../fields.ts"
import { type Form, textOf, unsetOf, withText } from "../form.ts"
import { GROUPS } from "../groups.ts"
import { rowsOf } from "../steps.ts"

/** The settings that a template sets: entries, exits and balance rules. */
const DECIDED: ReadonlyArray<FieldName> = GROUPS.filter(({ title }) =>
  ["Entry", "Averaging (DCA)", "Exits", "Balance rules"].includes(title)
).flatMap(({ fields }) => fields.flatMap((name) => [name, ...dependents(name)]))

/** The form with the settings of a template, and with its name and description where nobody typed others. */
export const startFrom = (form: Form, key: TemplateKey): Form => {
  const { about, settings, title } = TEMPLATES[key]
  const values = new Map<string, unknown>(Object.entries(settings))
  const texts = { ...form.texts }
  const on = { ...form.on }
  for (const name of DECIDED) {
    if (fieldOf(name).kind === "switch") on[name] = values.get(name) === true
    else if (name !== "take_profit_steps") texts[name] = textIn(values.get(name)) ?? unsetOf(name)
  }
  const filled = { ...form, texts, on, steps: rowsOf(settings.take_profit_steps) }
  const named = isFree(form, "name", ({ title }) => title) ? withText(filled, "name", title) : filled
  return isFree(form, "description", ({ about }) => about) ? withText(named, "description", about) : named
}

const textIn = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : String(value)

/** Whether a text is empty, or another template's. */
const isFree = (form: Form, name: FieldName, of: (template: StrategyTemplate) => string): boolean => {
  const text = textOf(form, name).trim()
  return text === "" || TEMPLATE_KEYS.some((key) => of(TEMPLATES[key]) === text)
}
