// Text that stands out too little from what is behind it: WCAG 2.2, 1.4.3, from the computed styles.
;(() => {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number]
  const LEAST = { normal: 4.5, large: 3 }
  const canvas = document.createElement("canvas")
  canvas.width = 1
  canvas.height = 1
  const brush = canvas.getContext("2d", { willReadFrequently: true })
  const known = new Map<string, Colour>()

  // A canvas draws the colour, so that every notation is understood.
  const read = (text: string): Colour => {
    const seen = known.get(text)
    if (seen !== undefined || brush === null) return seen ?? [0, 0, 0, 1]
    brush.clearRect(0, 0, 1, 1)
    brush.fillStyle = text
    brush.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
    const colour: Colour = [red, green, blue, alpha / 255]
    known.set(text, colour)
    return colour
  }
  const over = (top: Colour, below: Colour): Colour => {
    const mix = (index: 0 | 1 | 2) => top[index] * top[3] + below[index] * (1 - top[3])
    return [mix(0), mix(1), mix(2), 1]
  }
  const light = ([red, green, blue]: Colour) => {
    const linear = (value: number) =>
      value / 255 <= 0.040_45 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
  const ratio = (a: Colour, b: Colour) => {
    const [dark = 0, bright = 0] = [light(a), light(b)].sort((x, y) => x - y)
    return (bright + 0.05) / (dark + 0.05)
  }
  const canvasColour: Colour = matchMedia("(prefers-color-scheme: dark)").matches
    ? [18, 18, 18, 1]
    : [255, 255, 255, 1]
  const behind = (element: Element): Colour | undefined => {
    const layers: Array<Colour> = []
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at)
      // The contrast over a picture cannot be computed from styles.
      if (style.backgroundImage !== "none") return undefined
      const colour = read(style.backgroundColor)
      layers.push(colour)
      if (colour[3] === 1) break
    }
    return layers.reduceRight((below, top) => over(top, below), canvasColour)
  }
  const faded = (element: Element): number => {
    let all = 1
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      all *= Number(getComputedStyle(at).opacity)
    return all
  }

  const flaws = new Set<string>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.textContent?.trim() ?? ""
    if (element === null || text === "" || !element.checkVisibility({ visibilityProperty: true })) continue
    // Disabled controls may have low contrast.
    if (element.closest(":disabled, [aria-disabled=true], option, script, style, noscript") !== null) continue
    const { height, width } = element.getBoundingClientRect()
    if (height <= 1 || width <= 1) continue
    const style = getComputedStyle(element)
    const ground = behind(element)
    if (ground === undefined) continue
    const [red, green, blue, alpha] = read(style.color)
    const ink = over([red, green, blue, alpha * faded(element)], ground)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    const found = ratio(ink, ground)
    if (found >= (isLarge ? LEAST.large : LEAST.normal)) continue
    const shown = (colour: Colour) => `rgb(${colour.slice(0, 3).map(Math.round).join(" ")})`
    flaws.add(
      `contrast ${found.toFixed(2)} of "${text.slice(0, 40)}" (${shown(ink)} on ${shown(ground)}, ${element.className})`
    )
  }
  return [...flaws]
})()
