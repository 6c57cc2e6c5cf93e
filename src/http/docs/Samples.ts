// Runnable examples of an operation: curl, TypeScript and Python, with nothing to install. Each reads the server's address
// and the token from the variables SIGNALBOX and TOKEN.
import { BODIES } from "./Bodies.ts"
import type { Operation } from "./Operations.ts"

/** An example in one language. */
export interface Sample {
  readonly language: string
  readonly code: string
}

export const samplesOf = (operation: Operation): ReadonlyArray<Sample> => [
  { language: "curl", code: curl(operation) },
  { language: "TypeScript", code: typescript(operation) },
  { language: "Python", code: python(operation) }
]

const bodyOf = ({ bodies, id }: Operation): string | undefined =>
  bodies.length === 0 ? undefined : JSON.stringify(BODIES[id] ?? {}, undefined, 2)

/** Ids are 1, and needed parameters of the query are left to those who know. */
const pathOf = ({ path }: Operation): string => path.replace(/\{[^}]+\}/g, "1")

const curl = (operation: Operation): string => {
  const { access, method } = operation
  const body = bodyOf(operation)
  const key = access === "key" ? "?key=$TOKEN" : ""
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} "$SIGNALBOX${pathOf(operation)}${key}"`,
    ...(access === "bearer" ? [`-H "Authorization: Bearer $TOKEN"`] : []),
    // An apostrophe would end the shell's text.
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${body.replaceAll("'", "'\\''")}'`])
  ].join(" \\\n  ")
}

const typescript = (operation: Operation): string => {
  const { access, method } = operation
  const body = bodyOf(operation)
  const headers = [
    ...(access === "bearer" ? ['authorization: "Bearer " + TOKEN'] : []),
    ...(body === undefined ? [] : [`"content-type": "application/json"`])
  ]
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length === 0 ? [] : [`headers: { ${headers.join(", ")} }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${body.replaceAll("\n", "\n  ")})`])
  ]
  const key = access === "key" ? ' + "?key=" + TOKEN' : ""
  const init = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
  return `const { SIGNALBOX${access === "none" ? "" : ", TOKEN"} } = process.env
const response = await fetch(SIGNALBOX + "${pathOf(operation)}"${key}${init})
console.log(response.status, await response.text())`
}

const python = (operation: Operation): string => {
  const { access, method } = operation
  const body = bodyOf(operation)
  const headers = [
    ...(access === "bearer" ? [`"Authorization": "Bearer " + os.environ["TOKEN"]`] : []),
    ...(body === undefined ? [] : [`"Content-Type": "application/json"`])
  ]
  const key = access === "key" ? ` + "?key=" + os.environ["TOKEN"]` : ""
  return `import os, urllib.request
request = urllib.request.Request(
    os.environ["SIGNALBOX"] + "${pathOf(operation)}"${key},
    method="${method}",
    headers={${headers.join(", ")}},${body === undefined ? "" : `\n    data=r'''${body}'''.encode(),`}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`
}
