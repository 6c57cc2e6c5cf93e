// What makes a narrow page scroll sideways. A table may do so in a frame of its own.
;(() => {
  // Not innerWidth: on a phone that grows with what overflows.
  const width = document.documentElement.clientWidth
  const page = document.scrollingElement ?? document.documentElement
  if (page.scrollWidth <= width) return []
  const wide = [...document.querySelectorAll("body *")].filter((it) => {
    if (!it.checkVisibility() || it.getBoundingClientRect().right <= width + 1) return false
    for (let at = it.parentElement; at !== null; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return false
    return true
  })
  const named = wide.slice(0, 5).map((it) => `${it.tagName.toLowerCase()}.${it.className}`)
  return [`the page is ${page.scrollWidth} wide of ${width}: ${named.join(", ")}`]
})()
