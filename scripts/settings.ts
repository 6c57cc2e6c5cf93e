// `settings`: writes the table of settings into the page that has a place for it, from the settings themselves. The
// place stands between two comments, `<!-- settings -->` and `<!-- /settings -->`. The fields of a strategy's draft are
// written in the same way, from the table of its fields, and so are the samples of the templates of strategies.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { HEADINGS, list, type Setting } from "../src/Config.ts"
import { path } from "./command.ts"
import * as DraftFields from "./draftFields.ts"
import * as Samples from "./samples.ts"

const GUIDE = "src/guide"
const PLACE = /(?<=<!-- settings -->\n)[\s\S]*?(?=<!-- \/settings -->)/g

/** The settings under their headings, in Markdown. */
export const settingsTable = (): string =>
  HEADINGS.map(([heading, settings]) =>
    [
      `**${heading}**`,
      "",
      "| option | variable | default | what it does |",
      "|---|---|---|---|",
      ...list(settings).map(rowOf)
    ].join("\n")
  ).join("\n\n")

const rowOf = ({ bounds, description, example, name, otherwise, variable }: Setting<unknown>): string => {
  const shown = example === undefined ? "" : `; example: \`${example}\``
  const takes = bounds === undefined ? "" : `; takes ${bounds.words}`
  const cells = [`\`--${name}\``, `\`${variable}\``, otherwise || "empty", `${description}${shown}${takes}`]
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`
}

/** A place for the table: the page, and what stands there. */
export interface Place {
  readonly file: string
  readonly text: string
}

/** Every place for the table. */
export const places = (): ReadonlyArray<Place> => {
  const guide = existsSync(path(GUIDE)) ? readdirSync(path(GUIDE)) : []
  const pages = [
    "README.md",
    ...guide.filter((name) => name.endsWith(".md")).map((name) => `${GUIDE}/${name}`)
  ]
  return pages.flatMap((file) =>
    [...readFileSync(path(file), "utf8").matchAll(PLACE)].map(([text]) => ({ file, text }))
  )
}

if (import.meta.main) {
  for (const { file } of places()) {
    const page = readFileSync(path(file), "utf8")
    writeFileSync(
      path(file),
      page.replace(PLACE, () => `\n${settingsTable()}\n\n`)
    )
    console.log(`${file} has the table of all settings`)
  }
  DraftFields.write()
  console.log(`${DraftFields.FILE} has the fields of a strategy's draft`)
  await Samples.write()
  console.log(`${Samples.FILE} has the samples of the templates`)
}
