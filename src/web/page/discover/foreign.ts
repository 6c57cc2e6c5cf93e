// Texts of other accounts, made harmless for a list: in one line, of bounded length, and without characters that turn
// the text around or cannot be seen. A stranger's name must not pass for another one, or for a part of the page.

/** The most characters of a stranger's text in a heading or a list. */
export const MOST_SHOWN = 80

/** Line breaks and other control characters. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Characters that cannot be seen, among them those that turn the direction of writing. */
const INVISIBLE = /\p{Cf}+/gu

/** The text in one line of at most `most` characters. Where nothing is left to see, a dash stands for it. */
export const harmless = (text: string, most: number = MOST_SHOWN): string => {
  const plain = text.replace(BREAKS, " ").replace(INVISIBLE, "").trim()
  const letters = [...plain.slice(0, 2 * most + 2)]
  if (letters.length > most) return `${letters.slice(0, most - 1).join("")}…`
  return plain === "" ? "–" : plain
}
