// The tree of an expression as it was written, and where it is wrong.

/** An operator with one operand. */
export type UnaryOperator = "-" | "+" | "not"
/** An operator with two operands. */
export type BinaryOperator =
  | ("or" | "and" | "==" | "!=" | ">" | "<" | ">=" | "<=")
  | ("+" | "-" | "*" | "/" | "%")

/** A part of an expression. `column` is where it was written, counted from 1. */
export type Syntax =
  | { readonly _tag: "Number"; readonly column: number; readonly value: number }
  | { readonly _tag: "Boolean"; readonly column: number; readonly value: boolean }
  | { readonly _tag: "Text"; readonly column: number; readonly value: string }
  | { readonly _tag: "Name"; readonly column: number; readonly name: string }
  | {
      readonly _tag: "Unary"
      readonly column: number
      readonly operator: UnaryOperator
      readonly operand: Syntax
    }
  | {
      readonly _tag: "Binary"
      readonly column: number
      readonly operator: BinaryOperator
      readonly left: Syntax
      readonly right: Syntax
    }
  | {
      readonly _tag: "Conditional"
      readonly column: number
      readonly condition: Syntax
      readonly then: Syntax
      readonly other: Syntax
    }
  | {
      readonly _tag: "Call"
      readonly column: number
      readonly name: string
      readonly inputs: ReadonlyArray<Syntax>
    }
  | { readonly _tag: "Output"; readonly column: number; readonly of: Syntax; readonly output: string }
  | { readonly _tag: "History"; readonly column: number; readonly of: Syntax; readonly rows: Syntax }

/**
 * What is wrong with an expression: the column, counted from 1, and a text that says what was expected there and what was
 * found. `expected` is the first part alone, which quotes nothing of the expression.
 */
export interface ExpressionError {
  readonly column: number
  readonly text: string
  readonly expected: string
}

/** How tightly operators bind, as in Pine: a higher one first. */
export const PRECEDENCE: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  "==": 3,
  "!=": 3,
  ">": 4,
  "<": 4,
  ">=": 4,
  "<=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6
}
/** `-x`, `+x` and `not x` bind tighter than all of those. */
export const UNARY_PRECEDENCE = 7

/** The bounds of an expression. */
export const MAX_CHARACTERS = 2_000
export const MAX_NODES = 200
/** Candles until an expression can have a value. */
export const MAX_LOOKBACK = 5_000
/** How deep brackets, conditions and signs may lie within each other. */
export const MAX_DEPTH = 64

/** Prefixes of Pine's functions, which may be written or left out. */
export const NAMESPACES: ReadonlySet<string> = new Set(["ta", "math"])
