// Where the focus is, and whether that can be seen: an outline or a shadow, on the element or on what holds it.
;(() => {
  const at = document.activeElement
  if (at === null || at === document.body) return [""]
  const all = [...document.querySelectorAll("*")]
  const name = at.getAttribute("aria-label") ?? at.textContent?.trim().slice(0, 30) ?? ""
  const stop = `${all.indexOf(at)} ${at.tagName.toLowerCase()} "${name}"`
  const marked = (element: Element) => {
    const { boxShadow, outlineStyle, outlineWidth } = getComputedStyle(element)
    return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== "none"
  }
  const holder = at.parentElement
  const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : []
  const isMarked = marked(at) || (holder !== null && marked(holder)) || labels.some(marked)
  const { bottom, height, right, width } = at.getBoundingClientRect()
  // A file is chosen by the label of an invisible field.
  const isSeen =
    (width > 1 && height > 1 && bottom > 0 && right > 0) || labels.some((it) => it.checkVisibility())
  return [stop, isMarked ? (isSeen ? "" : "it is out of sight") : "the focus cannot be seen"]
})()
