// `api`: writes scripts/api.txt, the report of all that is public. With --check it changes nothing, and tells where the
// report is out of date, where an export has no doc comment, or none that says since when it is there, and where an
// example in one does not compile. With --release it also writes down the names of all exports, for the next one.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { path } from "../command.ts"
import { difference } from "./difference.ts"
import { doors } from "./doors.ts"
import { emit } from "./emit.ts"
import { examples, sourceOf } from "./examples.ts"
import { halfTold, undocumented } from "./flaws.ts"
import { filesOf, modules } from "./modules.ts"
import { isPublic, report, unreadable } from "./report.ts"
import { mistagged, names } from "./tags.ts"

const REPORT = "scripts/api.txt"
/** The exports of the last release; not there before the first. */
const RELEASED = "scripts/api/released.txt"
/** Pages whose examples are compiled with those of the doc comments. */
const PAGES = ["scripts/reference/front.md"]
/** Lines of a difference that are shown; the rest is counted. */
const MAX_SHOWN = 40

const main = async (checking: boolean, releasing: boolean): Promise<number> => {
  const all = doors()
  const shown = [...filesOf(all), ...PAGES].flatMap((file) =>
    examples(file, readFileSync(path(file), "utf8"))
  )
  const errors = await emit(all, shown)
  if (errors !== "") {
    console.log(errors.replace(/\S*dist\/api\/examples\/([^\s(]+)/g, (_, name) => sourceOf(name)))
    return 1
  }
  const found = modules(all)
  if (releasing) writeFileSync(path(RELEASED), `${names(found).join("\n")}\n`)
  const released = existsSync(path(RELEASED))
    ? new Set(readFileSync(path(RELEASED), "utf8").split("\n"))
    : undefined
  const missing = found.flatMap((module) => [
    ...undocumented(module),
    ...halfTold(module),
    ...unreadable(module),
    ...mistagged(module, released)
  ])
  for (const line of missing) console.log(line)
  const now = report(found)
  if (!checking) writeFileSync(path(REPORT), now)
  const known = existsSync(path(REPORT)) ? readFileSync(path(REPORT), "utf8") : ""
  const changes = difference(known, now)
  if (changes.length > 0) {
    console.log(changes.slice(0, MAX_SHOWN).join("\n"))
    if (changes.length > MAX_SHOWN) console.log(`and ${changes.length - MAX_SHOWN} lines more`)
    console.log(`What is public has changed: if that is meant, run "bun run api" and commit ${REPORT}.`)
  }
  const exports = found.flatMap(({ declarations }) => declarations.filter(isPublic)).length
  console.log(`${exports} exports of ${all.length} modules documented, ${shown.length} examples compiled`)
  return missing.length + changes.length === 0 ? 0 : 1
}

process.exit(await main(process.argv.includes("--check"), process.argv.includes("--release")))
