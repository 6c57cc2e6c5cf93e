// A command's help page, read from its own definition, so that help and parser cannot differ. The texts stand in
// cli/<command>.ts and its options, those of a few short commands in cli/program/commands.ts.
import * as CliConfig from "@effect/cli/CliConfig"
import * as Descriptor from "@effect/cli/CommandDescriptor"
import type { HelpDoc } from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"
import * as HashSet from "effect/HashSet"

/** The help of one command. */
export interface Page {
  /** The words that call it, without the program's name: `token create`. */
  readonly path: string
  readonly description: string
  readonly args: ReadonlyArray<Part>
  readonly options: ReadonlyArray<Part>
  readonly children: ReadonlyArray<Page>
}

/** An option or an argument: `--scope full|alerts`, `EXCHANGE`. */
export interface Part {
  readonly name: string
  /** The value that follows the option's name; empty if there is none. */
  readonly value: string
  readonly isRequired: boolean
  readonly description: string
}

/** A command of any kind. */
interface Described {
  readonly descriptor: Descriptor.Command<unknown>
}

/** One page for each command; subcommands are children. */
export const pagesOf = (commands: ReadonlyArray<Described>): ReadonlyArray<Page> =>
  commands.map(({ descriptor }) => pageOf(descriptor))

/** Whether the command only has subcommands. */
export const isGroup = ({ descriptor }: Described): boolean => {
  const names = Descriptor.getNames(descriptor)
  // A command without subcommands is listed as its own.
  return [...Descriptor.getSubcommands(descriptor)].some(([name]) => !HashSet.has(names, name))
}

const pageOf = (command: Descriptor.Command<unknown>): Page => {
  const [path = ""] = HashSet.toValues(Descriptor.getNames(command))
  const page = read(path, Descriptor.getHelp(command, CONFIG))
  const children = [...Descriptor.getSubcommands(command)]
    // A command without subcommands is listed as its own.
    .filter(([name]) => name !== path)
    .map(([name, child]) => read(`${path} ${name}`, Descriptor.getHelp(child, CONFIG)))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return { ...page, children }
}

const CONFIG = CliConfig.make({ showBuiltIns: false })

const read = (path: string, doc: HelpDoc): Page => {
  let section = ""
  const found = { description: "", args: [] as Part[], options: [] as Part[] }
  for (const item of flat(doc)) {
    if (item._tag === "Header") section = textOf(item.value)
    else if (item._tag === "Paragraph" && section === "DESCRIPTION") found.description = textOf(item.value)
    else if (item._tag === "DescriptionList") {
      const list = section === "OPTIONS" ? found.options : found.args
      for (const [span, about] of item.definitions) list.push(partOf(textOf(span), paragraphs(about)))
    }
  }
  return { path, ...found, children: [] }
}

/** The library adds a sentence about the type before our description and one about repetition after it: drop both. */
const partOf = (syntax: string, [, ...about]: ReadonlyArray<string>): Part => {
  const [, name = "", value = ""] = /^<?([^ >]+)>? ?(.*)$/.exec(syntax) ?? []
  return {
    name: name.startsWith("-") ? name : name.toUpperCase(),
    value: value
      .replaceAll(" | ", "|")
      .replace(/^(text|redacted|integer|float)\b/, (type) => WORDS[type] ?? type)
      .replace(" 1+", "..."),
    isRequired: !about.some((text) => /^This (setting is|option can be)|zero or more/.test(text)),
    description: about.filter((text) => !/^This (setting|option|argument) /.test(text)).join(" ")
  }
}

const WORDS: Readonly<Record<string, string>> = {
  text: "TEXT",
  redacted: "TEXT",
  integer: "NUMBER",
  float: "NUMBER"
}

const flat = (doc: HelpDoc): ReadonlyArray<HelpDoc> =>
  doc._tag === "Sequence" ? [...flat(doc.left), ...flat(doc.right)] : [doc]

const paragraphs = (doc: HelpDoc): ReadonlyArray<string> =>
  flat(doc).flatMap((item) => (item._tag === "Paragraph" ? [textOf(item.value)] : []))

const textOf = (span: Span): string => {
  switch (span._tag) {
    case "Sequence":
      return textOf(span.left) + textOf(span.right)
    case "Text":
    case "URI":
      return span.value
    default:
      return textOf(span.value)
  }
}
