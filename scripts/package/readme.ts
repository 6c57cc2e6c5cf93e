// The README of the package: the guide's page on embedding, without what only concerns a clone of the repository.

/** Sections of the page that only a clone of the repository has a use for. */
const OF_REPOSITORY: ReadonlySet<string> = new Set(["Reference", "Source"])

export const readme = (page: string, description: string): string => {
  const [, ...sections] = page.split(/^(?=## )/m)
  const kept = sections.filter((section) => !OF_REPOSITORY.has(headingOf(section)))
  if (kept.length + OF_REPOSITORY.size !== sections.length)
    throw new Error(`the page on embedding has not the sections ${[...OF_REPOSITORY].join(", ")} any more`)
  return `# Signalbox\n\n${description}\n\n${introduction(page)}${kept.join("").trimEnd()}\n\n${LICENCE}\n`
}

const LICENCE = "## Licence\n\nMIT, see `LICENSE`. `CHANGELOG.md` says what each version brings."

const headingOf = (section: string): string => /^## +(.+)$/m.exec(section)?.[1] ?? ""

/** What stands between the page's title and its first section. */
const introduction = (page: string): string =>
  page.slice(page.indexOf("\n") + 1, page.search(/^## /m)).trimStart()
