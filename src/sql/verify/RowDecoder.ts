// Decodes rows as their schemas do, in a fraction of the time: a verification decodes millions. A schema is compiled once
// into plain functions. Whatever they refuse, or were not compiled for, the schema itself decodes; so it also has the last
// word on every fault.
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/** What a compiled function gives back in place of a value. */
const REFUSED = Symbol("refused")
type Compiled = (input: unknown) => unknown

/** Makes the decoder of a schema without asynchronous parts. */
export const make = <A, I>(
  schema: Schema.Schema<A, I>
): ((input: unknown) => Either.Either<A, ParseResult.ParseError>) => {
  const fast = compiled(schema.ast)
  const decode = Schema.decodeUnknownEither(schema)
  return (input) => {
    const value = fast(input)
    return isDecoded<A>(value) ? Either.right(value) : decode(input)
  }
}

const isDecoded = <A>(value: unknown): value is A => value !== REFUSED

const compiled = (ast: AST.AST): Compiled => {
  if (AST.DecodingFallbackAnnotationId in ast.annotations) return bySchema(ast)
  switch (ast._tag) {
    case "UnknownKeyword":
      return (it) => it
    case "StringKeyword":
      return (it) => (typeof it === "string" ? it : REFUSED)
    case "NumberKeyword":
      return (it) => (typeof it === "number" ? it : REFUSED)
    case "BooleanKeyword":
      return (it) => (typeof it === "boolean" ? it : REFUSED)
    case "UndefinedKeyword":
      return (it) => (it === undefined ? it : REFUSED)
    case "Literal":
      return (it) => (it === ast.literal ? it : REFUSED)
    case "Declaration":
      return declared(ast)
    case "Refinement":
      return refined(ast)
    case "Transformation":
      return transformed(ast)
    case "TypeLiteral":
      return struct(ast)
    case "TupleType":
      return array(ast)
    case "Union":
      return union(ast)
    default:
      return bySchema(ast)
  }
}

const bySchema = (ast: AST.AST): Compiled => {
  const decode = Schema.decodeUnknownEither(Schema.make(ast))
  return (it) => Either.getOrElse(decode(it), () => REFUSED)
}

/** What a schema's own function has decided; nothing of ours decides later. */
const decided = (decision: unknown): unknown =>
  Either.isEither(decision) && Either.isRight(decision) ? decision.right : REFUSED

const declared = (ast: AST.Declaration): Compiled => {
  if (ast.typeParameters.length > 0) return bySchema(ast)
  const decode = ast.decodeUnknown()
  return (it) => decided(decode(it, {}, ast))
}

const refined = (ast: AST.Refinement): Compiled => {
  const from = compiled(ast.from)
  return (it) => {
    const value = from(it)
    return value === REFUSED || Option.isSome(ast.filter(value, {}, ast)) ? REFUSED : value
  }
}

const transformed = (ast: AST.Transformation): Compiled => {
  const [from, to] = [compiled(ast.from), compiled(ast.to)]
  const change = changeOf(ast)
  return (it) => {
    const before = from(it)
    const after = before === REFUSED ? REFUSED : change(before, it)
    return after === REFUSED ? REFUSED : to(after)
  }
}

const changeOf = (ast: AST.Transformation): ((before: unknown, input: unknown) => unknown) => {
  const { transformation } = ast
  switch (transformation._tag) {
    case "ComposeTransformation":
      return (before) => before
    case "FinalTransformation":
      return (before, input) => decided(transformation.decode(before, {}, ast, input))
    case "TypeLiteralTransformation":
      return (before) => {
        if (!Predicate.isRecord(before)) return REFUSED
        const changed = { ...before }
        for (const { decode, from, to } of transformation.propertySignatureTransformations) {
          const value = decode(Object.hasOwn(changed, from) ? Option.some(changed[from]) : Option.none())
          delete changed[from]
          if (Option.isSome(value)) changed[to] = value.value
        }
        return changed
      }
  }
}

/** As schemas do, without what is not of the struct. */
const struct = (ast: AST.TypeLiteral): Compiled => {
  if (ast.indexSignatures.length > 0 || ast.propertySignatures.length === 0) return bySchema(ast)
  const fields = ast.propertySignatures.map(({ isOptional, name, type }) => ({
    isOptional,
    name,
    decode: compiled(type)
  }))
  return (it) => {
    if (!Predicate.isRecord(it)) return REFUSED
    const made: Record<PropertyKey, unknown> = {}
    for (const { decode, isOptional, name } of fields) {
      if (Object.hasOwn(it, name)) {
        const value = decode(it[name])
        if (value === REFUSED) return REFUSED
        made[name] = value
      } else if (!isOptional) return REFUSED
    }
    return made
  }
}

const array = (ast: AST.TupleType): Compiled => {
  const [rest, ...others] = ast.rest
  if (rest === undefined || others.length > 0 || ast.elements.length > 0) return bySchema(ast)
  const each = compiled(rest.type)
  return (it) => {
    if (!Array.isArray(it)) return REFUSED
    const made: Array<unknown> = []
    for (const element of it) {
      const value = each(element)
      if (value === REFUSED) return REFUSED
      made.push(value)
    }
    return made
  }
}

const isNothing = (ast: AST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** Literals, or one type beside nothing: of other unions a value may fit several members, of which the schema chooses. */
const union = (ast: AST.Union): Compiled => {
  const others = ast.types.filter((type) => !isNothing(type))
  if (others.length > 1 && others.some(({ _tag }) => _tag !== "Literal")) return bySchema(ast)
  const members = ast.types.map(compiled)
  return (it) => {
    for (const member of members) {
      const value = member(it)
      if (value !== REFUSED) return value
    }
    return REFUSED
  }
}
