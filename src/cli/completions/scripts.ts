// Completion scripts for bash, zsh and fish, made from the help pages of all commands.
import type { Page, Part } from "../program/help/Page.ts"

/** Makes a shell's script from the pages. */
export type Script = (pages: ReadonlyArray<Page>) => string

const everyPage = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [page, ...page.children])
const lastWord = (path: string): string => path.slice(path.lastIndexOf(" ") + 1)
const choicesOf = ({ value }: Part): ReadonlyArray<string> => (value.includes("|") ? value.split("|") : [])
/** Options of every command, which the pages leave out. */
const GLOBAL: ReadonlyArray<Part> = [
  { name: "--config", value: "FILE", isRequired: false, description: "read settings from this file" },
  { name: "--help", value: "", isRequired: false, description: "show what the command does and its options" }
]

/** The words that may follow a command: its subcommands and options. */
const wordsAfter = ({ children, options }: Page): ReadonlyArray<string> => [
  ...children.map(({ path }) => lastWord(path)),
  ...[...options, ...GLOBAL].map(({ name }) => name)
]

export const bash: Script = (pages) => {
  const all = everyPage(pages)
  const choices = new Map(
    all.flatMap(({ options, path }) =>
      options
        .filter((option) => choicesOf(option).length > 0)
        .map((option) => [`${path} ${option.name}`, choicesOf(option)])
    )
  )
  const valued = new Set(
    all
      .flatMap(({ options }) => [...options, ...GLOBAL])
      .filter(({ value }) => value !== "")
      .map(({ name }) => name)
  )
  return `# bash completion for signalbox
_signalbox() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path="" i words=""
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
${pages.map(({ path }) => `      " ${path}") path="${path}" ;;`).join("\n")}
${pages
  .flatMap(({ children }) => children)
  .map(({ path }) => `      "${path}") path="${path}" ;;`)
  .join("\n")}
    esac
  done
  case "$path $prev" in
${[...choices].map(([key, words]) => `    "${key}") COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur")); return ;;`).join("\n")}
  esac
  # The value of an option: a file, or nothing that we know of.
  case "$prev" in
    ${[...valued].join("|")}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  case "$path" in
    "") words="${pages.map(({ path }) => path).join(" ")} --help --version" ;;
${all.map((page) => `    "${page.path}") words="${wordsAfter(page).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _signalbox signalbox
`
}

export const zsh: Script = (pages) => {
  const quoted = (text: string) => text.replaceAll("'", "'\\''")
  const entry = (name: string, about: string) => `'${quoted(`${name.replaceAll(":", "\\:")}:${about}`)}'`
  const optionOf = (option: Part) => {
    const about = quoted(option.description.replaceAll(/[[\]\\:]/g, "\\$&"))
    const takes = choicesOf(option).length > 0 ? `:value:(${choicesOf(option).join(" ")})` : ":value:_files"
    return `'${option.value.endsWith("...") ? "*" : ""}${option.name}[${about}]${option.value === "" ? "" : takes}'`
  }
  const leaf = ({ options }: Page) =>
    `_arguments ${[...options, ...GLOBAL].map(optionOf).join(" ")} '*:file:_files'`
  const menu = (name: string, children: ReadonlyArray<Page>) =>
    `local -a commands=(${children.map(({ description, path }) => entry(lastWord(path), description)).join(" ")}); _describe ${name} commands`
  const group = (page: Page) =>
    [
      "      if ((CURRENT == 3)); then",
      `        ${menu("command", page.children)}`,
      "      else",
      "        local word=$words[3]; words=(signalbox $words[4,-1]); ((CURRENT -= 2))",
      "        case $word in",
      ...page.children.map((child) => `          ${lastWord(child.path)}) ${leaf(child)} ;;`),
      "        esac",
      "      fi"
    ].join("\n")
  const single = (page: Page) => `      words=(signalbox $words[3,-1]); ((CURRENT -= 1))\n      ${leaf(page)}`
  return `#compdef signalbox
_signalbox() {
  if ((CURRENT == 2)); then
    ${menu("command", pages)}
    return
  fi
  case $words[2] in
${pages.map((page) => `    ${page.path})\n${page.children.length > 0 ? group(page) : single(page)}\n      ;;`).join("\n")}
  esac
}
if [[ $funcstack[1] == _signalbox ]]; then
  _signalbox "$@"
else
  (($+functions[compdef])) || { autoload -Uz compinit && compinit }
  compdef _signalbox signalbox
fi
`
}

export const fish: Script = (pages) => {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
  const line = (condition: string, rest: string) => `complete -c signalbox -n ${quoted(condition)} ${rest}`
  const optionOf = (condition: string, option: Part) => {
    const choices = choicesOf(option)
    const takes =
      option.value === "" ? "" : choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : " -r"
    return line(condition, `-l ${option.name.slice(2)}${takes} -d ${quoted(option.description)}`)
  }
  const inside = (page: Page): ReadonlyArray<string> => {
    const [name, child] = page.path.split(" ")
    const seen = `__fish_seen_subcommand_from ${name}`
    const at = child === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${child}`
    const unsaid = `${seen}; and not __fish_seen_subcommand_from ${page.children.map(({ path }) => lastWord(path)).join(" ")}`
    return [
      ...page.children.map(({ description, path }) =>
        line(unsaid, `-f -a ${lastWord(path)} -d ${quoted(description)}`)
      ),
      ...page.options.map((option) => optionOf(at, option)),
      ...page.children.flatMap(inside)
    ]
  }
  return `${[
    "# fish completion for signalbox",
    ...pages.map(({ description, path }) =>
      line("__fish_use_subcommand", `-f -a ${path} -d ${quoted(description)}`)
    ),
    ...GLOBAL.map((option) => optionOf("true", option)),
    ...pages.flatMap(inside)
  ].join("\n")}\n`
}
