// Decodes values with Schema and describes every error in our own words. The words quote nothing of the value, which
// may be a secret or a megabyte.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/** One error: the path within the value (`[0].coin_pairs[2]`, empty for the value itself), and what to change. */
export interface SchemaViolation {
  readonly path: string
  readonly text: string
}

/** Decodes a value, or returns all its errors. Schema's own messages are not used, because they quote the value. */
export const decode = <A, I>(
  schema: Schema.Schema<A, I>,
  value: unknown
): Either.Either<A, ReadonlyArray<SchemaViolation>> =>
  Either.mapLeft(ParseResult.decodeUnknownEither(schema, { errors: "all" })(value), (issue) =>
    violationsIn(issue, "")
  )

/** The most values in one field, such as the pairs of all exchanges. */
export const MAX_VALUES = 5_000

/** Whether a value holds more than `MAX_VALUES` others; visits at most that many. */
export const isLarge = (value: unknown): boolean => {
  const waiting = [value]
  for (let count = 0; waiting.length > 0; count++) {
    if (count + waiting.length > MAX_VALUES) return true
    const next = waiting.pop()
    if (Array.isArray(next) && next.length > MAX_VALUES) return true
    if (typeof next === "object" && next !== null) waiting.push(...Object.values(next))
  }
  return false
}

const violationsIn = (issue: ParseResult.ParseIssue, path: string): ReadonlyArray<SchemaViolation> => {
  switch (issue._tag) {
    case "Pointer":
      return violationsIn(issue.issue, path + pathText(issue.path))
    case "Composite":
      if (issue.ast._tag === "Union") return violationsInUnion(issue, issue.ast, path)
      return [issue.issues].flat().flatMap((inner) => violationsIn(inner, path))
    case "Refinement":
      return issue.kind === "From" ? violationsIn(issue.issue, path) : [{ path, text: refused(issue) }]
    case "Transformation":
      return violationsIn(issue.issue, path)
    case "Missing":
      return [{ path, text: "is required" }]
    case "Unexpected":
    case "Forbidden":
      return [{ path, text: "is not allowed here" }]
    case "Type":
      return [{ path, text: expected(issue.ast) }]
  }
}

/** For a nullable value: its errors as the other member. */
const violationsInUnion = (
  issue: ParseResult.Composite,
  ast: AST.Union,
  path: string
): ReadonlyArray<SchemaViolation> => {
  const members = [issue.issues]
    .flat()
    .filter((inner) => !(inner._tag === "Type" && inner.ast._tag === "Literal"))
  const [only] = members
  return members.length === 1 && only !== undefined
    ? violationsIn(only, path)
    : [{ path, text: expected(ast) }]
}

/** A filter's own message if it has one; those are ours and quote nothing. */
const refused = (issue: ParseResult.Refinement): string =>
  issue.issue._tag === "Type" && issue.issue.message !== undefined ? issue.issue.message : expected(issue.ast)

const pathText = (path: ParseResult.Path): string =>
  [path]
    .flat()
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")

const expected = (ast: AST.AST): string => {
  const words = Option.getOrUndefined(AST.getDescriptionAnnotation(ast))
  switch (ast._tag) {
    case "StringKeyword":
      return "must be a text"
    case "NumberKeyword":
      return "must be a number"
    case "BooleanKeyword":
      return "must be true or false"
    case "TupleType":
      return "must be a list"
    case "TypeLiteral":
      return "must be an object"
    case "Literal":
      return `must be ${String(ast.literal)}`
    case "Union":
      return union(ast)
    case "Transformation":
      return expected(ast.from)
    case "Refinement":
      return words === undefined ? expected(ast.from) : `must be ${words}`
    default:
      return "is not valid"
  }
}

const union = (ast: AST.Union): string => {
  const literals = ast.types.flatMap((type) => (type._tag === "Literal" ? [String(type.literal)] : []))
  if (literals.length === ast.types.length) return `must be one of ${literals.join(", ")}`
  const [first] = ast.types.filter((type) => type._tag !== "Literal")
  return first === undefined ? "is not valid" : expected(first)
}
