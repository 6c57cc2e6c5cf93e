import * as Decimal from "../../src/domain/Decimal.ts"

/** A number in digits, with no exponent. */
export const plain = (value: number): string => {
  const text = String(value)
  return text.includes("e") ? value.toFixed(18).replace(/\.?0+$/, "") : text
}

/** How many places a step such as `0.001` has. */
export const places = (step: string): number => {
  const point = step.indexOf(".")
  return point < 0 ? 0 : step.length - point - 1
}

/** `0.5` over `0.01` is `50`: a size in contracts. */
export const over = (amount: string, size: string): string =>
  Decimal.toText(Decimal.divide(Decimal.unsafeFromText(amount), Decimal.unsafeFromText(size)))
