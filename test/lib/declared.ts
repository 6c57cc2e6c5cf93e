// Whether a problem is one that its operation declares, so that a typed client can switch on its code.
import { HttpApi } from "@effect/platform"
import { Either, Option, Schema } from "effect"
import { Api } from "../../src/api/Api.ts"
import { UNRECOGNIZED } from "../../src/api/shared/Codes.ts"
import { Problem } from "../../src/api/shared/Problem.ts"

interface Operation {
  readonly method: string
  readonly path: RegExp
  /** A reader of each declared problem, by status. */
  readonly problems: ReadonlyMap<number, (body: unknown) => Either.Either<unknown, unknown>>
}

const operations: Array<Operation> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, errors }) =>
    operations.push({
      method: endpoint.method,
      path: new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`),
      problems: new Map(
        [...errors].flatMap(([status, { ast }]) =>
          Option.match(ast, {
            onNone: () => [],
            onSome: (ast) => [[status, Schema.decodeUnknownEither(Schema.make(ast))] as const]
          })
        )
      )
    })
})

/** The code of a problem that the operation does not declare at its status; undefined if all is well. */
export const undeclared = (method: string, path: string, problem: { readonly status: number }) => {
  const operation = operations.find((one) => one.method === method && one.path.test(path))
  const read = operation?.problems.get(problem.status)
  if (read === undefined) return undefined
  const found = Either.getOrUndefined(read(problem))
  return found instanceof Problem && found.code !== UNRECOGNIZED ? undefined : problem
}
