// Finds exports without documentation, and ports without the promises and the proof that they must name.
import { isPublic, type Module } from "./report.ts"

/** Exports without a doc comment; one comment serves a value and a type of the same name. */
export const undocumented = ({ declarations, name }: Module): ReadonlyArray<string> => {
  const told = new Set(declarations.filter(({ doc }) => doc !== "").map((it) => it.name))
  const missing = declarations.filter(
    (it) => isPublic(it) && it.kind !== "from" && it.kind !== "namespace" && !told.has(it.name)
  )
  return [...new Set(missing.map((it) => `${name}: ${it.name} has no doc comment`))]
}

/** Ports that do not say what an implementer must keep, or what proves it. */
export const halfTold = ({ declarations, name }: Module): ReadonlyArray<string> =>
  declarations
    .filter(({ doc, kind }) => kind === "class" && /\bA port\b/.test(doc))
    .flatMap(({ doc, name: port }) =>
      [...PARTS]
        .filter(([, part]) => !part.test(doc))
        .map(([what]) => `${name}: the port ${port} does not say ${what}`)
    )

const PARTS: ReadonlyMap<string, RegExp> = new Map([
  ["what an implementation keeps", /^\*\*An implementation keeps\*\*\n\n- /m],
  ["what it is proved by", /^\*\*Proved by\*\* (?:`\w+Contract` of|no suite: )/m],
  ["that it belongs to the ports: @category Ports", /^@category Ports$/m]
])
