// The structure that screen readers need: one first heading, a language, a title, and unique ids.
;(() => {
  const flaws: Array<string> = []
  const visible = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  const headings = [...document.querySelectorAll("h1")].filter(visible)
  if (headings.length !== 1)
    flaws.push(`${headings.length} first headings: ${headings.map((it) => it.textContent)}`)
  let depth = 1
  for (const heading of [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(visible)) {
    const level = Number(heading.tagName.slice(1))
    if (level > depth + 1)
      flaws.push(`"${heading.textContent}" is a heading of level ${level} under one of ${depth}`)
    depth = level
  }
  if (document.documentElement.lang === "") flaws.push("the document names no language")
  if (document.title.trim() === "") flaws.push("the document has no title")
  if (document.querySelector("main") === null) flaws.push("there is no main")
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id)
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    flaws.push(`the id ${id} is twice there`)
  for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"])
    for (const element of document.querySelectorAll(`[${attribute}]`))
      for (const id of (element.getAttribute(attribute) ?? "").split(/\s+/).filter((it) => it !== ""))
        if (document.getElementById(id) === null && element.getAttribute("aria-expanded") !== "false")
          flaws.push(`${attribute} of <${element.tagName.toLowerCase()}> names ${id}, which is not there`)
  for (const input of document.querySelectorAll("input[aria-invalid=true]"))
    if (input.getAttribute("aria-describedby") === null)
      flaws.push(`${input.id} is wrong and does not say why`)
  return flaws
})()
