// The operations of the interface, read from its OpenAPI document.
import { at, entries, list, text } from "./Json.ts"

/** A parameter in the path, the query or a header. */
export interface Parameter {
  readonly name: string
  readonly place: string
  readonly isNeeded: boolean
  readonly about: string
  readonly schema: unknown
}

export interface Answer {
  readonly status: string
  readonly about: string
  readonly schema: unknown
}

export interface Operation {
  /** `signals.create`; also its anchor. */
  readonly id: string
  readonly group: string
  readonly method: string
  readonly path: string
  readonly title: string
  readonly about: string
  readonly parameters: ReadonlyArray<Parameter>
  /** The body's schema by content type. */
  readonly bodies: ReadonlyArray<readonly [type: string, schema: unknown]>
  readonly answers: ReadonlyArray<Answer>
  /** How the caller is known: by a token in a header, by a key in the address, or not at all. */
  readonly access: "bearer" | "key" | "none"
}

/** A group of operations under its title. */
export interface Group {
  readonly title: string
  readonly about: string
  readonly operations: ReadonlyArray<Operation>
}

/** All groups in the sequence of the document. */
export const groupsOf = (document: unknown): ReadonlyArray<Group> => {
  const all = entries(at(document, "paths")).flatMap(([path, methods]) =>
    entries(methods).map(([method, operation]) => operationOf(method, path, operation))
  )
  return list(at(document, "tags")).map((tag) => {
    const title = text(at(tag, "name"))
    return {
      title,
      about: text(at(tag, "description")),
      operations: all.filter(({ group }) => group === title)
    }
  })
}

const operationOf = (method: string, path: string, operation: unknown): Operation => ({
  id: text(at(operation, "operationId")),
  group: text(list(at(operation, "tags"))[0]),
  method: method.toUpperCase(),
  path,
  title: text(at(operation, "summary")) || text(at(operation, "operationId")),
  about: text(at(operation, "description")),
  parameters: list(at(operation, "parameters")).map((parameter) => ({
    name: text(at(parameter, "name")),
    place: text(at(parameter, "in")),
    isNeeded: at(parameter, "required") === true,
    about: text(at(parameter, "description")) || text(at(parameter, "schema", "description")),
    schema: at(parameter, "schema")
  })),
  bodies: entries(at(operation, "requestBody", "content")).map(([type, media]) => [
    type,
    at(media, "schema")
  ]),
  answers: entries(at(operation, "responses")).map(([status, answer]) => ({
    status,
    about: text(at(answer, "description")),
    schema: entries(at(answer, "content")).map(([, media]) => at(media, "schema"))[0]
  })),
  access: accessOf(list(at(operation, "security")))
})

const accessOf = (security: ReadonlyArray<unknown>): Operation["access"] => {
  const names = security.flatMap((one) => entries(one).map(([name]) => name))
  if (names.includes("bearer")) return "bearer"
  return names.includes("key") ? "key" : "none"
}
