// What the definition of a function holds, and the shapes that several functions share.

/** What a parameter takes. A `length` is a whole number from 1 on, and like `factor` and `flag` never changes. */
export type ParameterKind = "number" | "condition" | "any" | "length" | "factor" | "flag" | "timeframe"

/** A parameter; `fallback` is the expression that is meant where it is left out. */
export interface FunctionParameter {
  readonly name: string
  readonly kind: ParameterKind
  readonly fallback?: string
}

/**
 * A function. `outputs` are the names of several outputs, of which `main` is meant where none is named; empty if there is
 * only one. `rest`: more inputs like the last one may follow. `leading`: the first one may be left out. `type` is
 * `same` if it is that of the last input. `words` describes it, with its inputs in braces.
 */
export interface FunctionDefinition {
  readonly parameters: ReadonlyArray<FunctionParameter>
  readonly type: "number" | "boolean" | "same"
  readonly outputs?: ReadonlyArray<string>
  readonly main?: string
  readonly rest?: boolean
  readonly leading?: boolean
  readonly words: string
  readonly about: string
}

/** The series that a function is computed of. */
export const source: FunctionParameter = { name: "source", kind: "number" }
/** How many candles. */
export const length: FunctionParameter = { name: "length", kind: "length" }
/** A parameter of another name. */
export const named = (name: string, kind: ParameterKind, fallback?: string): FunctionParameter =>
  fallback === undefined ? { name, kind } : { name, kind, fallback }

/** A function of a source and a length. */
export const windowed = (words: string, about: string): FunctionDefinition => ({
  parameters: [source, length],
  type: "number",
  words,
  about
})

/** A condition between two series. */
export const between = (words: string, about: string): FunctionDefinition => ({
  parameters: [named("a", "number"), named("b", "number")],
  type: "boolean",
  words,
  about
})

/** A function of two or more series. */
export const many = (words: string, about: string): FunctionDefinition => ({
  parameters: [named("a", "number"), named("b", "number")],
  type: "number",
  rest: true,
  words,
  about
})
