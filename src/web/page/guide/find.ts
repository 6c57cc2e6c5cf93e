// Finds the guide's sections that hold all words of a query, the best first. Pure; Search.tsx shows the results.
import type { Indexed } from "../../guide/Addresses.ts"

/** A piece of an excerpt; `isHit` marks the words that were searched for. */
export interface Piece {
  readonly text: string
  readonly isHit: boolean
}

export interface Found {
  readonly href: string
  readonly title: string
  readonly page: string
  readonly excerpt: ReadonlyArray<Piece>
}

/** A section with its texts as they are compared. */
export interface Entry {
  readonly of: Indexed
  readonly title: string
  readonly page: string
  readonly text: string
}

const MOST_RESULTS = 12

/** The weight of a hit, by its place. */
const WEIGHT = {
  sameTitle: 100,
  phraseInTitle: 30,
  wordInTitle: 10,
  wordInPage: 4,
  phraseInText: 5,
  wordInText: 1
}

/** Prepares the index once. */
export const entriesOf = (index: ReadonlyArray<Indexed>): ReadonlyArray<Entry> =>
  index.map((of) => ({ of, title: normal(of[2]), page: normal(of[3]), text: normal(of[4]) }))

/** The sections that hold every word of the query, also as the beginning of a longer word. */
export const find = (entries: ReadonlyArray<Entry>, query: string): ReadonlyArray<Found> => {
  const phrase = normal(query)
  if (phrase === " ") return []
  const words = phrase.trim().split(" ")
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, phrase, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_RESULTS)
    .map(({ entry: { of } }) => ({
      href: `${of[0]}#${of[1]}`,
      title: of[2],
      page: of[3],
      excerpt: excerptOf(of[4], words)
    }))
}

/** Zero where a word is missing. */
const scoreOf = ({ page, text, title }: Entry, phrase: string, words: ReadonlyArray<string>): number => {
  const began = phrase.trimEnd()
  let score = 0
  for (const word of words) {
    const found =
      (title.includes(` ${word}`) ? WEIGHT.wordInTitle : 0) +
      (page.includes(` ${word}`) ? WEIGHT.wordInPage : 0) +
      (text.includes(` ${word}`) ? WEIGHT.wordInText : 0)
    if (found === 0) return 0
    score += found
  }
  return (
    score +
    (title === phrase ? WEIGHT.sameTitle : title.includes(began) ? WEIGHT.phraseInTitle : 0) +
    (text.includes(began) ? WEIGHT.phraseInText : 0)
  )
}

/** Words in lower case between single blanks, with a blank at both ends: `stop_loss` reads as `stop loss`. */
const normal = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `.replace(/^ +$/, " ")

/** Characters of an excerpt before and after its first hit. */
const BEFORE = 50
const AFTER = 140

/** The text around the first hit, with every hit marked; its beginning where only the title has the words. */
const excerptOf = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Piece> => {
  const hits = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "giu")
  const at = Math.max(0, text.search(hits))
  const start = at <= BEFORE ? 0 : text.indexOf(" ", at - BEFORE) + 1
  const end = text.length <= at + AFTER ? text.length : Math.max(at, text.lastIndexOf(" ", at + AFTER))
  const shown = text.slice(start, end)
  const pieces: Array<Piece> = []
  let done = 0
  for (const { 0: hit, index } of shown.matchAll(hits)) {
    pieces.push({ text: shown.slice(done, index), isHit: false }, { text: hit, isHit: true })
    done = index + hit.length
  }
  pieces.push({ text: shown.slice(done), isHit: false })
  const dots = (isCut: boolean): ReadonlyArray<Piece> => (isCut ? [{ text: "…", isHit: false }] : [])
  return [...dots(start > 0), ...pieces.filter(({ text }) => text !== ""), ...dots(end < text.length)]
}
