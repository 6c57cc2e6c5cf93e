// What a misspelt command was meant to be: the known command that is nearest to it.
import * as Descriptor from "@effect/cli/CommandDescriptor"
import * as EditDistance from "../../domain/internal/EditDistance.ts"
import { plain } from "./table.ts"

/** A command as the library describes it. */
interface Described {
  readonly descriptor: Descriptor.Command<unknown>
}

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

/** What is wrong with the second word of a command line, where the first is a command with others beneath it. */
export const wrongSubcommand = (
  words: ReadonlyArray<string>,
  { descriptor }: Described
): string | undefined => {
  const [group = "", word] = words
  const names = [...Descriptor.getSubcommands(descriptor)].map(([name]) => name)
  // A command without others beneath it is listed as its own.
  const isGroup = names.some((name) => name !== group)
  if (!isGroup || word === undefined || word.startsWith("-") || names.includes(word)) return undefined
  const meant = nearest(word, names)
  const hint = meant === undefined ? "" : `did you mean signalbox ${group} ${meant}? `
  return `there is no command ${group} ${shown(word)}: ${hint}signalbox ${group} lists them all`
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
