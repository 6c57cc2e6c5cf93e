// A number that is not rounded: a step, a minimum or a fee.
import { digits } from "./digits.ts"

export const Exact = ({ value, unit }: { value: number; unit?: string }) => (
  <span class="number">
    {digits(value)}
    {unit === undefined ? "" : ` ${unit}`}
  </span>
)
