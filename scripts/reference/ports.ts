// The page that lists the ports, made from their doc comments: what is told of each stands beside its Tag.
import { readFileSync } from "node:fs"
import { words } from "../api/declarations.ts"
import type { Door } from "../api/doors.ts"
import { path } from "../command.ts"

export interface Port {
  readonly name: string
  readonly module: string
  readonly promise: string
  /** The contract suite that proves it, or why there is none. */
  readonly proof: string
}

/** Every Tag that calls itself a port. */
export const ports = (doors: ReadonlyArray<Door>): ReadonlyArray<Port> =>
  doors.flatMap(({ file, name: module }) => {
    const text = readFileSync(path(file), "utf8")
    return [
      ...text.matchAll(/(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\nexport class (\w+) extends Context\.Tag\(/g)
    ].flatMap(([, comment = "", name = ""]) => {
      const doc = words(comment)
      if (!/@category Ports$/m.test(doc)) return []
      const [promise = ""] = doc.split("\n\n")
      const [, proof = ""] = /\*\*Proved by\*\* ([\s\S]*?)\n\n/.exec(doc) ?? []
      return [{ name, module, promise: flat(promise), proof: flat(proof) }]
    })
  })

const flat = (text: string) => text.replace(/\s+/g, " ").trim()

export const pageOfPorts = (doors: ReadonlyArray<Door>): string =>
  [
    "---",
    "title: Ports",
    "---",
    "",
    "# Ports",
    "",
    "What can be replaced: each port is a `Context.Tag`, whose layer an app may put in place of ours. Its page says what",
    "an implementation keeps, and a contract suite of `signalbox/testing` tries that on any layer; ours pass the same.",
    "",
    "| port | what it promises | proved by |",
    "| --- | --- | --- |",
    ...ports(doors).map(
      ({ module, name, promise, proof }) => `| {@link ${module}!${name} | ${name}} | ${promise} | ${proof} |`
    ),
    ""
  ].join("\n")
