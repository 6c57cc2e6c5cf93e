// The commands of the guide's page on embedding, as it shows them: what is tried here cannot differ from what is read.
import { readFileSync } from "node:fs"
import { path } from "../../../scripts/command.ts"
import { blocks } from "../../lib/pages.ts"

export const PAGE = "src/guide/embedding.md"

const text = (): string => readFileSync(path(PAGE), "utf8")

/** The programs that the page shows. */
export const programs = (): ReadonlyArray<string> => blocks(text(), "ts")

/** The lines of the commands below a heading, up to the next one. */
export const commands = (heading: string): ReadonlyArray<string> => {
  const [, section] = text().split(new RegExp(`^#{2,3} ${heading}\\n`, "m"))
  if (section === undefined) throw new Error(`${PAGE} has no heading "${heading}"`)
  const found = blocks(section.split(/^#{1,3} /m)[0] ?? "", "console")
  return found.flatMap((block) => block.trim().split("\n"))
}

/** The one command below a heading that begins with a manager's name. */
export const command = (heading: string, manager: string): string => {
  const [found, ...others] = commands(heading).filter((line) => line.startsWith(`${manager} `))
  if (found === undefined || others.length > 0)
    throw new Error(`${PAGE} has not one command of ${manager} below "${heading}"`)
  return found
}
