// The house's words as rules: a header in each file, one meaning for each word, no path in a comment that leads
// nowhere, and titles of tests that say what holds.
import { dirname, join } from "node:path"
import type { Rule } from "./house.ts"
import { locate, type Source } from "./source.ts"

/** Each file begins with a comment, before its imports. */
export const beginsWithHeader: Rule = (sources) =>
  sources
    .filter(({ text }) => !/^(#!.*\n)?(\/\/|\/\*)/.test(text))
    .map(({ path }) => `${path}:1 has no header that says what it is and what it keeps to`)

/** A word that is not used, and the one that means it here. */
export interface Word {
  readonly pattern: RegExp
  readonly say: string
}

/** Words that no name of the code has. */
export const namesAvoid =
  (words: ReadonlyArray<Word>): Rule =>
  (sources) =>
    sources.flatMap(({ code, path }) => hits(words, path, code))

/** Words that no comment has. */
export const commentsAvoid =
  (words: ReadonlyArray<Word>): Rule =>
  (sources) =>
    sources.flatMap((file) => hits(words, file.path, commentsOf(file)))

const hits = (words: ReadonlyArray<Word>, path: string, text: string): ReadonlyArray<string> =>
  words.flatMap(({ pattern, say }) =>
    [...text.matchAll(pattern)].map((hit) => `${path}:${locate(text, hit.index)} ${hit[0]}: say ${say}`)
  )

/** The comments of a file, each where it stands; all else is blank. */
const commentsOf = ({ bare, text }: Source): string =>
  [...text].map((letter, at) => (letter === "\n" || letter !== bare[at] ? letter : " ")).join("")

const TITLE =
  /(?:(?:\b(?:test|it|effect|scenario)|\.(?:effect|live|scoped))\(|\b(?:test|it)\.\w+\([^\n]*\)\(|^[ ]*\][^\n]*\)\()\s*(["`])((?:\\.|(?!\1)[^\\])*)\1(?=,\s*(?:async )?[\w({[])/gm

/** Each title of a test is a sentence: not shorter than so many words, unless a row of a table names the case. */
export const titlesSay =
  (words: ReadonlyArray<Word>, least: number): Rule =>
  (sources) =>
    sources.flatMap(({ bare, path }) =>
      [...bare.matchAll(TITLE)].flatMap(({ 0: call, 2: title = "", index }) => {
        const at = `${path}:${locate(bare, index + call.indexOf(title))} ${title}`
        const isShort = title.split(" ").length < least && !/%[\w#]|\$\{/.test(title)
        return (isShort ? [`${at}: say what holds`] : []).concat(
          words.filter(({ pattern }) => title.match(pattern) !== null).map(({ say }) => `${at}: say ${say}`)
        )
      })
    )

const PATH = /(?<![\w/.:-])(?:\.{0,2}\/)?(?:[\w-]+\/)*[\w.-]+\.(?:ts|tsx|md)\b(?![\w/])/g

/** Each path that a comment names is there: from the top of the repo, from src, or from the file's own folder. */
export const commentsNamePaths =
  (files: ReadonlySet<string>): Rule =>
  (sources) =>
    sources.flatMap((file) => {
      const comments = commentsOf(file)
      return [...comments.matchAll(PATH)]
        .filter(
          ([named]) =>
            ![named, join("src", named), join(dirname(file.path), named)].some((path) => files.has(path))
        )
        .map((hit) => `${file.path}:${locate(comments, hit.index)} names ${hit[0]}, which is not there`)
    })
