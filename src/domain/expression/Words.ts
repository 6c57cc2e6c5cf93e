// Says in words what an expression does, so that a person can check what was meant.
import type { Checked } from "./Checked.ts"
import { FUNCTIONS } from "./Functions.ts"
import { PRICES } from "./Prices.ts"
import type { BinaryOperator } from "./Syntax.ts"

/** The expression in words, as the end of a sentence: "the close is above the average of ...". */
export const describe = (part: Checked): string => {
  switch (part._tag) {
    case "Constant":
      return part.type === "boolean" ? (part.value === 1 ? "always" : "never") : String(part.value)
    case "Price":
      return PRICES[part.name]
    case "Negative":
      return `minus ${operand(part.of)}`
    case "Not":
      return `it is not so that ${operand(part.of)}`
    case "Binary":
      return `${operand(part.left)} ${OPERATORS[part.operator]} ${operand(part.right)}`
    case "Conditional":
      return `${operand(part.then)} if ${operand(part.condition)}, otherwise ${operand(part.other)}`
    case "History":
      return part.rows === 1
        ? `${operand(part.of)} one candle before`
        : `${operand(part.of)} ${part.rows} candles before`
    case "Request":
      return `${operand(part.of)} at the last closed ${part.timeframe} candle`
    case "Call":
      return call(part)
  }
}

const OPERATORS: Readonly<Record<BinaryOperator, string>> = {
  "+": "plus",
  "-": "minus",
  "*": "times",
  "/": "divided by",
  "%": "modulo",
  ">": "is above",
  "<": "is below",
  ">=": "is at or above",
  "<=": "is at or below",
  "==": "equals",
  "!=": "differs from",
  and: "and",
  or: "or"
}

const LOOSE = new Set<Checked["_tag"]>(["Binary", "Conditional", "Not"])

/** In brackets, where the sentence would be read in two ways. */
const operand = (part: Checked): string => {
  const words = describe(part)
  const isComparison = part._tag === "Binary" && part.operator in COMPARISONS
  return LOOSE.has(part._tag) && !isComparison ? `(${words})` : words
}

const COMPARISONS: Partial<Record<BinaryOperator, true>> = {
  ">": true,
  "<": true,
  ">=": true,
  "<=": true,
  "==": true,
  "!=": true
}

const call = ({ function: name, inputs, output }: Checked & { readonly _tag: "Call" }): string => {
  const { parameters, words } = FUNCTIONS[name]
  const values = new Map([
    ["output", (output ?? "").replaceAll("_", " ")],
    ["inputs", listed(inputs.map(operand))]
  ])
  for (const [index, { name: parameter }] of parameters.entries()) {
    const input = inputs[index]
    if (input !== undefined) values.set(parameter, operand(input))
  }
  return words.replace(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? key)
}

const listed = (words: ReadonlyArray<string>): string =>
  `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`
