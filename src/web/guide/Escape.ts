// Text within HTML, and back.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" } as const

/** Text within HTML. */
export const escaped = (text: string): string =>
  text
    .replaceAll("&", ENTITIES["&"])
    .replaceAll("<", ENTITIES["<"])
    .replaceAll(">", ENTITIES[">"])
    .replaceAll('"', ENTITIES['"'])

/** The text of HTML without elements. */
export const unescaped = (html: string): string =>
  html
    .replaceAll(ENTITIES["<"], "<")
    .replaceAll(ENTITIES[">"], ">")
    .replaceAll(ENTITIES['"'], '"')
    .replaceAll(ENTITIES["&"], "&")
