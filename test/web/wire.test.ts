// The page's wire types equal the contract's JSON.
import { expect, test } from "bun:test"
import * as HttpApi from "@effect/platform/HttpApi"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { Api } from "../../src/api/Api.ts"
import type { Answer, Request } from "../../src/web/page/wire.ts"

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>) => true

test("requests and answers have the types that they have in JSON", () => {
  expect(same<Answer<"signals", "get">["id"], number>(true)).toBe(true)
  expect(same<Answer<"signals", "list">["data"][number]["name"], string>(true)).toBe(true)
  type Listed = Answer<"strategies", "get">["exchanges"][number]
  expect(same<Listed["exchange_name"] extends string ? true : false, true>(true)).toBe(true)
  expect(same<Listed["coin_pairs"], ReadonlyArray<string>>(true)).toBe(true)
  type Day = Answer<"dashboard", "overview">["currencies"][number]["days"][number]
  expect(same<Day, readonly [number, number]>(true)).toBe(true)
  const get: Request<"signals", "get"> = { path: { id: 1 } }
  const page: Request<"signals", "list"> = { urlParams: { limit: 5 } }
  const create: Request<"signals", "create"> = {
    payload: { name: "a", description: "b", active: true, public: false }
  }
  expect([get, page, create]).toHaveLength(3)
})

/** Where a schema's wire form differs from its type in more than brands. */
const differences = (ast: AST.AST, seen = new Set<AST.AST>()): ReadonlyArray<string> => {
  if (seen.has(ast)) return []
  seen.add(ast)
  const inside = (all: ReadonlyArray<AST.AST>) => all.flatMap((one) => differences(one, seen))
  switch (ast._tag) {
    case "Transformation":
      return [
        ...(AST.isTypeLiteralTransformation(ast.transformation)
          ? ast.transformation.propertySignatureTransformations.map(
              ({ from, to }) => `${String(from)} > ${String(to)}`
            )
          : [`${ast}`]),
        ...inside([ast.from])
      ]
    case "Refinement":
      return inside([ast.from])
    case "Suspend":
      return inside([ast.f()])
    case "Union":
      return inside(ast.types)
    case "TupleType":
      return inside([...ast.elements, ...ast.rest].map(({ type }) => type))
    case "TypeLiteral":
      return inside([...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type))
    default:
      return []
  }
}

test("no answer differs on the wire in a way that the page's types miss", () => {
  const found = new Set<string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, successes }) => {
      for (const { ast } of successes.values())
        if (Option.isSome(ast))
          for (const one of differences(ast.value)) found.add(`${group.identifier}.${endpoint.name}: ${one}`)
    }
  })
  expect([...found]).toEqual([])
})
