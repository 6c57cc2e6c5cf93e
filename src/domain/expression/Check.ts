// Gives every part of an expression its type, puts in what was left out, works out what never changes, and refuses what
// has no meaning, with the column and what was expected there.
import type * as Either from "effect/Either"
import { millisOf, timeframeOf } from "../candles/Timeframe.ts"
import type { Checked, Surroundings, Type } from "./Checked.ts"
import { attempt, failure } from "./Failure.ts"
import { folded } from "./Fold.ts"
import type { FunctionDefinition, FunctionParameter } from "./FunctionShape.ts"
import { FUNCTIONS, type FunctionName, functionOf } from "./Functions.ts"
import { EXPECTED_NAME, known, unknownName } from "./Names.ts"
import { parse } from "./Parser.ts"
import { priceOf } from "./Prices.ts"
import { type BinaryOperator, type ExpressionError, MAX_LOOKBACK, type Syntax } from "./Syntax.ts"

/** Checks a tree, which has to give `type`. */
export const check = (
  tree: Syntax,
  type: Type,
  surroundings: Surroundings
): Either.Either<Checked, ExpressionError> =>
  attempt(() => expect({ ...surroundings, isLonger: false }, tree, type))

interface Place extends Surroundings {
  /** Within a `request`. */
  readonly isLonger: boolean
}

const WORDS: Readonly<Record<Type, string>> = {
  number: "a number",
  boolean: "a condition, such as close > open"
}

const expect = (place: Place, tree: Syntax, type: Type): Checked => {
  const checked = typed(place, tree)
  if (checked.type === type) return checked
  throw failure(tree.column, `expected ${WORDS[type]}; this is ${WORDS[checked.type].split(",")[0]}`)
}

const typed = (place: Place, tree: Syntax): Checked => {
  const { column } = tree
  switch (tree._tag) {
    case "Number":
      return constant("number", column, tree.value)
    case "Boolean":
      return constant("boolean", column, tree.value ? 1 : 0)
    case "Text":
      throw failure(column, "expected a number or a condition: a timeframe stands in request only")
    case "Name":
      return name(place, tree.name, column)
    case "Unary": {
      if (tree.operator !== "not") {
        const of = expect(place, tree.operand, "number")
        return tree.operator === "+"
          ? of
          : folded({ _tag: "Negative", type: "number", column, lookback: of.lookback, of })
      }
      const of = negated(place, tree.operand)
      return folded({ _tag: "Not", type: "boolean", column, lookback: of.lookback, of })
    }
    case "Binary":
      return binary(place, tree)
    case "Conditional": {
      const condition = expect(place, tree.condition, "boolean")
      const then = typed(place, tree.then)
      const other = expect(place, tree.other, then.type)
      const lookback = Math.max(condition.lookback, then.lookback, other.lookback)
      return folded({ _tag: "Conditional", type: then.type, column, lookback, condition, then, other })
    }
    case "Call":
      return call(place, { ...tree, output: undefined })
    case "Output":
      return output(place, tree.of, tree.output, column)
    case "History": {
      const of = typed(place, tree.of)
      const rows = whole(place, tree.rows, 0, "the number of candles back")
      const lookback = bounded(of.lookback + rows, column)
      return of._tag === "Constant" || rows === 0
        ? of
        : { _tag: "History", type: of.type, column, lookback, of, rows }
    }
  }
}

const constant = (type: Type, column: number, value: number): Checked => ({
  _tag: "Constant",
  type,
  column,
  lookback: 0,
  value
})

const name = (place: Place, text: string, column: number): Checked => {
  const price = priceOf(text)
  if (price !== undefined) return { _tag: "Price", type: "number", column, lookback: 0, name: price }
  const value = place.params.get(text)
  if (value !== undefined) return constant("number", column, value)
  const found = functionOf(text)
  if (found === undefined) throw failure(column, EXPECTED_NAME, unknownName(text, known(place.params.keys())))
  if (FUNCTIONS[found].parameters.some(({ fallback }) => fallback === undefined))
    throw failure(column, `expected ( after ${text}, as in ${text}(${parametersOf(FUNCTIONS[found])})`)
  return call(place, { name: text, column, inputs: [], output: undefined })
}

/** `not` binds tighter than comparisons, which is easily forgotten. */
const negated = (place: Place, operand: Syntax): Checked => {
  const of = typed(place, operand)
  if (of.type === "boolean") return of
  throw failure(
    operand.column,
    "expected a condition after not; put a comparison into brackets, as not (close > open)"
  )
}

const LOGIC = new Set<BinaryOperator>(["and", "or"])
const ARITHMETIC = new Set<BinaryOperator>(["+", "-", "*", "/", "%"])

const binary = (place: Place, tree: Syntax & { readonly _tag: "Binary" }): Checked => {
  const { column, operator } = tree
  const operands = LOGIC.has(operator) ? "boolean" : "number"
  const left = expect(place, tree.left, operands)
  const right = expect(place, tree.right, operands)
  const type = ARITHMETIC.has(operator) ? "number" : "boolean"
  const lookback = Math.max(left.lookback, right.lookback)
  return folded({ _tag: "Binary", type, column, lookback, operator, left, right })
}

interface Call {
  readonly name: string
  readonly column: number
  readonly inputs: ReadonlyArray<Syntax>
  readonly output: Wanted | undefined
}

/** The output that is named. */
interface Wanted {
  readonly name: string
  readonly column: number
}

const output = (place: Place, of: Syntax, wanted: string, column: number): Checked => {
  const isFunction = of._tag === "Call" || (of._tag === "Name" && functionOf(of.name) !== undefined)
  if (!isFunction) {
    typed(place, of)
    throw failure(column, "expected a function with several outputs before the point")
  }
  const inputs = of._tag === "Call" ? of.inputs : []
  return call(place, { name: of.name, column: of.column, inputs, output: { name: wanted, column } })
}

/** `fast, slow, signal` of a function. */
const parametersOf = ({ parameters }: FunctionDefinition): string =>
  parameters.map(({ name }) => name).join(", ")

const call = (place: Place, { column, inputs, name: text, output: wanted }: Call): Checked => {
  const found = functionOf(text)
  if (found === undefined) throw failure(column, EXPECTED_NAME, unknownName(text, known(place.params.keys())))
  const definition = FUNCTIONS[found]
  const output = outputOf(found, wanted ?? { name: definition.main, column })
  const given = filled(found, inputs, column)
  if (found === "request") return request(place, given, column)
  const checked = given.map(([parameter, tree]) => input(place, parameter, tree))
  const lengths = given.map(([{ kind }], index) => (kind === "length" ? valueOf(checked[index]) : 0))
  const reach = lengths.reduce((sum, rows) => sum + rows, ONE_BACK.has(found) ? 1 : 0)
  const lookback = bounded(Math.max(0, ...checked.map((it) => it.lookback)) + reach, column)
  const type = definition.type === "boolean" ? "boolean" : "number"
  return { _tag: "Call", type, column, lookback, function: found, output, inputs: checked }
}

/** Functions without a length that look one candle back. */
const ONE_BACK: ReadonlySet<FunctionName> = new Set([
  "crossover",
  "crossunder",
  "cross",
  "obv",
  "sar",
  "tr"
] as const)

const valueOf = (checked: Checked | undefined): number => (checked?._tag === "Constant" ? checked.value : 0)

const outputOf = (
  found: FunctionName,
  { column, name: wanted }: { readonly name: string | undefined; readonly column: number }
): string | undefined => {
  const { outputs = [] } = FUNCTIONS[found]
  if (wanted === undefined && outputs.length === 0) return undefined
  if (wanted !== undefined && outputs.includes(wanted)) return wanted
  if (outputs.length === 0) throw failure(column, `expected no output to be named: ${found} has one only`)
  throw failure(column, `expected one of ${outputs.map((it) => `.${it}`).join(", ")} after ${found}(...)`)
}

type Given = ReadonlyArray<readonly [FunctionParameter, Syntax]>

/** The inputs beside their parameters, with those that were left out. */
const filled = (found: FunctionName, inputs: ReadonlyArray<Syntax>, column: number): Given => {
  const { leading, parameters, rest } = FUNCTIONS[found]
  const isShort = leading === true && inputs.length === parameters.length - 1
  const last = parameters.at(-1)
  const given: Array<readonly [FunctionParameter, Syntax]> = []
  for (const [index, parameter] of parameters.entries()) {
    const tree = isShort ? inputs[index - 1] : inputs[index]
    const text = parameter.fallback
    if (tree !== undefined) given.push([parameter, tree])
    else if (text !== undefined) given.push([parameter, written(text, column)])
    else
      throw failure(
        column,
        `expected ${found}(${parametersOf(FUNCTIONS[found])}): ${parameter.name} is missing`
      )
  }
  for (const tree of inputs.slice(parameters.length)) {
    if (rest !== true || last === undefined)
      throw failure(tree.column, `expected ): ${found} takes ${parametersOf(FUNCTIONS[found]) || "nothing"}`)
    given.push([last, tree])
  }
  return given
}

/** What stands for an input that was left out. */
const written = (text: string, column: number): Syntax => {
  if (text === "true") return { _tag: "Boolean", column, value: true }
  return /^\d+$/.test(text)
    ? { _tag: "Number", column, value: Number(text) }
    : { _tag: "Name", column, name: text }
}

const input = (place: Place, { kind, name: called }: FunctionParameter, tree: Syntax): Checked => {
  if (kind === "number") return expect(place, tree, "number")
  if (kind === "condition") return expect(place, tree, "boolean")
  if (kind === "length") return constant("number", tree.column, whole(place, tree, 1, called))
  const checked = expect(place, tree, kind === "flag" ? "boolean" : "number")
  if (checked._tag === "Constant") return checked
  throw failure(
    tree.column,
    `expected ${kind === "flag" ? "true or false" : "a number or a parameter"} as ${called}: it cannot change from candle to candle`
  )
}

const whole = (place: Place, tree: Syntax, least: number, called: string): number => {
  const checked = expect(place, tree, "number")
  const isWhole = checked._tag === "Constant" && Number.isInteger(checked.value)
  if (isWhole && checked.value >= least && checked.value <= MAX_LOOKBACK) return checked.value
  throw failure(
    tree.column,
    `expected a whole number from ${least} to ${MAX_LOOKBACK} as ${called}, or a parameter that has one`
  )
}

const bounded = (lookback: number, column: number): number => {
  if (lookback <= MAX_LOOKBACK) return lookback
  throw failure(column, `expected to look back at most ${MAX_LOOKBACK} candles; this looks back ${lookback}`)
}

const request = (place: Place, given: Given, column: number): Checked => {
  const [first, second] = given
  if (first === undefined || second === undefined)
    throw failure(column, "expected a timeframe and an expression")
  const tree = first[1]
  const timeframe = tree._tag === "Text" ? timeframeOf(tree.value) : undefined
  if (timeframe === undefined) throw failure(tree.column, 'expected a timeframe in quotes, such as "4h"')
  if (place.isLonger) throw failure(column, "expected no request within another one")
  const [own, longer] = [millisOf(place.timeframe), millisOf(timeframe)]
  if (longer <= own || longer % own !== 0)
    throw failure(tree.column, `expected a longer timeframe, a multiple of ${place.timeframe}`)
  const of = typed({ ...place, timeframe, isLonger: true }, second[1])
  return of._tag === "Constant" ? of : { _tag: "Request", type: of.type, column, lookback: 0, timeframe, of }
}

/** Reads and checks an expression. */
export const read = (
  text: string,
  type: Type,
  surroundings: Surroundings
): Either.Either<Checked, ExpressionError> =>
  attempt(() => {
    const tree = parse(text)
    if (tree._tag === "Left") {
      const { column, expected, text } = tree.left
      throw failure(column, expected, text.slice(expected.length))
    }
    return expect({ ...surroundings, isLonger: false }, tree.right, type)
  })
