// `api`: writes scripts/api.txt, the report of all that is public. With --check it changes nothing, and tells where the
// report is out of date, where an export has no doc comment, and where an example in one does not compile.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { path } from "../command.ts"
import { type Declaration, declarations } from "./declarations.ts"
import { difference } from "./difference.ts"
import { type Door, doors } from "./doors.ts"
import { declarationsOf, emit } from "./emit.ts"
import { examples, sourceOf } from "./examples.ts"
import { isPublic, type Module, report } from "./report.ts"

const REPORT = "scripts/api.txt"
/** Pages whose examples are compiled with those of the doc comments. */
const PAGES = ["scripts/reference/front.md"]
/** Lines of a difference that are shown; the rest is counted. */
const MAX_SHOWN = 40

const emitted = ({ file }: Pick<Door, "file">): ReadonlyArray<Declaration> => {
  const name = path(declarationsOf(file))
  return existsSync(name) ? declarations(readFileSync(name, "utf8")) : []
}

/** `door: export` for each export without a doc comment. One comment does for a value and a type of the same name. */
const undocumented = ({ declarations, name }: Module): ReadonlyArray<string> => {
  const told = new Set(declarations.filter(({ doc }) => doc !== "").map((it) => it.name))
  const missing = declarations.filter(
    (it) => isPublic(it) && it.kind !== "from" && it.kind !== "namespace" && !told.has(it.name)
  )
  return [...new Set(missing.map((it) => `${name}: ${it.name} has no doc comment`))]
}

const main = async (checking: boolean): Promise<number> => {
  const all = doors()
  const shown = [...all.map(({ file }) => file), ...PAGES].flatMap((file) =>
    examples(file, readFileSync(path(file), "utf8"))
  )
  const errors = await emit(all, shown)
  if (errors !== "") {
    console.log(errors.replace(/\S*dist\/api\/examples\/([^\s(]+)/g, (_, name) => sourceOf(name)))
    return 1
  }
  const modules = all.map((door) => ({ name: door.name, declarations: emitted(door) }))
  const missing = modules.flatMap(undocumented)
  for (const line of missing) console.log(line)
  const now = report(modules)
  if (!checking) writeFileSync(path(REPORT), now)
  const known = existsSync(path(REPORT)) ? readFileSync(path(REPORT), "utf8") : ""
  const changes = difference(known, now)
  if (changes.length > 0) {
    console.log(changes.slice(0, MAX_SHOWN).join("\n"))
    if (changes.length > MAX_SHOWN) console.log(`and ${changes.length - MAX_SHOWN} lines more`)
    console.log(`What is public has changed: if that is meant, run "bun run api" and commit ${REPORT}.`)
  }
  const exports = modules.flatMap(({ declarations }) => declarations.filter(isPublic)).length
  console.log(`${exports} exports of ${modules.length} modules documented, ${shown.length} examples compiled`)
  return missing.length + changes.length === 0 ? 0 : 1
}

process.exit(await main(process.argv.includes("--check")))
