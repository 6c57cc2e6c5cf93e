// Prints a help page: description, usage, arguments, options and examples.
import { EXAMPLES } from "./examples.ts"
import type { Page, Part } from "./Page.ts"

const WIDTH = 100
/** The widest column of names; a longer name gets a line of its own. */
const COLUMN = 26

/** The text of a page. */
export const render = (page: Page): string =>
  [
    wrapped(`signalbox ${page.path}: ${page.description}`, ""),
    "",
    `usage: ${usageOf(page)}`,
    ...section(
      "commands",
      page.children.map(({ description, path }) => [path, description])
    ),
    ...section(
      "arguments",
      page.args.map((arg) => [arg.name, arg.description])
    ),
    ...section(
      "options",
      page.options.map((option) => [syntaxOf(option), option.description])
    ),
    ...examplesOf(page),
    "",
    page.children.length > 0
      ? `signalbox ${page.path} COMMAND --help shows one command.`
      : "Settings may also come from a file: see signalbox config. Exit codes: signalbox --help"
  ].join("\n")

const usageOf = ({ args, children, options, path }: Page): string => {
  const required = options.filter(({ isRequired }) => isRequired).map(syntaxOf)
  const words = [
    ...(children.length > 0 ? ["COMMAND"] : []),
    ...required,
    ...(options.length > required.length || children.length > 0 ? ["[options]"] : []),
    ...args.map(({ isRequired, name, value }) => (isRequired ? name : `[${name}${value}]`))
  ]
  return ["signalbox", path, ...words].join(" ")
}

const syntaxOf = ({ name, value }: Part): string => (value === "" ? name : `${name} ${value}`)

const section = (title: string, rows: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const widths = rows.map(([name]) => name.length).filter((width) => width <= COLUMN)
  const indent = " ".repeat(Math.max(...widths, 0) + 4)
  const lines = rows.map(([name, text]) => {
    const about = wrapped(text, indent)
    const head = `  ${name}`
    return head.length + 2 > indent.length
      ? `${head}${text === "" ? "" : `\n${indent}${about}`}`
      : `${head.padEnd(indent.length)}${about}`.trimEnd()
  })
  return ["", `${title}:`, ...lines]
}

const examplesOf = ({ path }: Page): ReadonlyArray<string> => {
  const examples = EXAMPLES[path] ?? []
  if (examples.length === 0) return []
  return ["", "examples:", ...examples.flatMap(([what, command]) => [`  # ${what}`, `  ${command}`])]
}

/** Wraps text to the page's width and indents every line but the first. */
const wrapped = (text: string, indent: string): string => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${indent}`)
}
