// What a misspelt command was meant to be: the known command that is nearest to it.
import * as EditDistance from "../../domain/internal/EditDistance.ts"
import { plain } from "./table.ts"

/** The most letters of a word that are compared and shown. */
const MOST_LETTERS = 40

/** What is wrong with the first word of a command line; undefined where it is a command. */
export const wrongCommand = (
  words: ReadonlyArray<string>,
  names: ReadonlyArray<string>
): string | undefined => {
  const [word] = words
  if (word === undefined || word.startsWith("-") || names.includes(word)) return undefined
  const meant = nearest(word, names)
  const hint = meant === undefined ? "" : `did you mean signalbox ${meant}? `
  return `there is no command ${shown(word)}: ${hint}signalbox --help lists them all`
}

/**
 * What is wrong with the words after a command that has others (`names`) beneath it: the first of them must be one.
 * Undefined where it is, and where no word follows but options.
 */
export const wrongSubcommand = (
  [group = "", ...rest]: ReadonlyArray<string>,
  names: ReadonlyArray<string>
): string | undefined => {
  const [first] = rest
  const words = rest.filter((word) => !word.startsWith("-"))
  const [word] = words
  if (names.length === 0 || first === undefined || word === undefined || names.includes(first))
    return undefined
  const all = `signalbox ${group} lists them all`
  if (!first.startsWith("-")) {
    const meant = nearest(word, names)
    const hint = meant === undefined ? "" : `did you mean signalbox ${group} ${meant}? `
    return `there is no command ${group} ${shown(word)}: ${hint}${all}`
  }
  // A word after an option may be the option's value.
  const meant =
    words.find((it) => names.includes(it)) ??
    words.map((it) => nearest(it, names)).find((it) => it !== undefined)
  const hint = meant === undefined ? "" : `did you mean signalbox ${group} ${meant}? `
  return `options come after the command: ${hint}${all}`
}

const shown = (word: string): string => plain(word.slice(0, MOST_LETTERS))

/** The name that is nearest to a word, if no more than half of its letters differ. */
const nearest = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const sought = word.slice(0, MOST_LETTERS).toLowerCase()
  const [best] = names
    .map((name) => ({ name, edits: EditDistance.between(sought, name) }))
    .sort((one, other) => one.edits - other.edits)
  return best !== undefined && best.edits <= Math.max(sought.length, 2) / 2 ? best.name : undefined
}
