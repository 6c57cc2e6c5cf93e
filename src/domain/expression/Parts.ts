// The parts of a condition whose values say why it holds: `ema(close, 9)` and `ema(close, 21)` of a crossing of both.
import * as Either from "effect/Either"
import { check } from "./Check.ts"
import type { Checked, Surroundings } from "./Checked.ts"
import { parse } from "./Parser.ts"
import { print } from "./Print.ts"
import type { Syntax } from "./Syntax.ts"

/** A number of a condition, as it is written, and as it is computed. */
export interface Part {
  readonly text: string
  readonly value: Checked
}

/** The most parts of a condition that are recorded. */
export const MAX_PARTS = 20

/** The largest parts of a condition that are numbers and may change, each once. */
export const partsOf = (text: string, surroundings: Surroundings): ReadonlyArray<Part> => {
  const tree = parse(text)
  if (Either.isLeft(tree)) return []
  const found = new Map<string, Part>()
  collect(tree.right, surroundings, found)
  return [...found.values()].slice(0, MAX_PARTS)
}

const collect = (tree: Syntax, surroundings: Surroundings, found: Map<string, Part>): void => {
  const number = check(tree, "number", surroundings)
  if (Either.isRight(number)) {
    const text = print(tree)
    if (number.right._tag !== "Constant") found.set(text, { text, value: number.right })
    return
  }
  for (const child of childrenOf(tree)) collect(child, surroundings, found)
}

const childrenOf = (tree: Syntax): ReadonlyArray<Syntax> => {
  switch (tree._tag) {
    case "Unary":
      return [tree.operand]
    case "Binary":
      return [tree.left, tree.right]
    case "Conditional":
      return [tree.condition, tree.then, tree.other]
    case "Call":
      // What a request names belongs to another timeframe.
      return tree.name === "request" ? [] : tree.inputs
    case "Output":
    case "History":
      return [tree.of]
    default:
      return []
  }
}
