// The kinds of fields of the strategy form: numbers, switches, choices, texts, and the three with a control of their own.
import type { Bounds } from "./bounds.ts"

interface Words {
  readonly label: string
  /** Its effect, in one sentence. */
  readonly explain: string
  /** The switch that shows it. */
  readonly with?: string
}

type NumberField = Words & {
  readonly kind: "number"
  readonly unit: string
  readonly bounds: Bounds
  readonly needed: boolean
}
type SwitchField = Words & { readonly kind: "switch" }

export type Field =
  | NumberField
  | SwitchField
  | (Words &
      (
        | { readonly kind: "text" | "area"; readonly longest: number; readonly needed: boolean }
        | {
            readonly kind: "choice"
            readonly options: ReadonlyArray<string>
            /** What the options are called, where that is not their own name. */
            readonly titles?: Readonly<Record<string, string>>
            /** The option that a request has as null. */
            readonly unset?: string
          }
        | { readonly kind: "steps" }
        | { readonly kind: "signal" }
        | { readonly kind: "listings" }
      ))

/** A number with its unit and bounds. */
export const number = (
  label: string,
  { bounds, unit }: { readonly unit: string; readonly bounds: Bounds },
  explain: string,
  of: { readonly with?: string; readonly needed?: boolean } = {}
): NumberField => ({ kind: "number", label, unit, bounds, explain, needed: true, ...of })
/** A switch. */
export const toggle = (label: string, explain: string): SwitchField => ({ kind: "switch", label, explain })
