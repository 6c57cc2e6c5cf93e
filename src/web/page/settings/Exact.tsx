// A number that is not rounded: a step, a minimum or a fee.
import * as Format from "../parts/format.ts"

export const Exact = ({ value, unit }: { value: number; unit?: string }) => (
  <span class="number">
    {Format.exact(value)}
    {unit === undefined ? "" : ` ${unit}`}
  </span>
)
