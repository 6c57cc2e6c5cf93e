// Controls that a finger misses. A link in a sentence is as high as its line, and a box counts with its label.
;(() => {
  const LEAST = 40
  const CONTROLS =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=switch]"
  /** Whether a press slightly above or below the control still hits it. */
  const isHit = (control: Element): boolean => {
    control.scrollIntoView({ block: "center" })
    const { bottom, left, right, top } = control.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    return [-LEAST / 2 + 1, LEAST / 2 - 1].every((step) => {
      const met = document.elementFromPoint(x, y + step)
      return (
        met !== null &&
        (met === control || control.contains(met) || met.closest("label")?.control === control)
      )
    })
  }
  const flaws = new Set<string>()
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const own = control.getBoundingClientRect()
    // A control that is hidden until it has the focus, such as a skip link.
    if (own.width <= 1 || own.height <= 1 || own.bottom <= 0 || own.right <= 0) continue
    if (control.tagName === "A" && getComputedStyle(control).display === "inline") continue
    const label =
      control instanceof HTMLInputElement ? (control.labels?.[0] ?? control.closest("label")) : null
    const isBox = control.matches("[type=checkbox], [type=radio]")
    const height =
      isBox && label !== null ? Math.max(own.height, label.getBoundingClientRect().height) : own.height
    if (height >= LEAST - 0.5 || isHit(control)) continue
    const name = control.getAttribute("aria-label") ?? control.textContent?.trim() ?? ""
    flaws.add(
      `${control.tagName.toLowerCase()} "${name.slice(0, 30)}" (${control.className}) is ${height.toFixed(0)} px high`
    )
  }
  return [...flaws]
})()
