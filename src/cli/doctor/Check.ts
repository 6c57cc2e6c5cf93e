// The result of one check: a level, a line of text, and advice unless all is well.

export interface Check {
  readonly name: string
  readonly level: "ok" | "warn" | "FAIL"
  readonly text: string
  readonly advice?: string
}

export const ok = (name: string, text: string): Check => ({ name, level: "ok", text })
export const warn = (name: string, text: string, advice: string): Check => ({
  name,
  level: "warn",
  text,
  advice
})
export const fail = (name: string, text: string, advice: string): Check => ({
  name,
  level: "FAIL",
  text,
  advice
})

/** One line for each check, with its advice below. */
export const render = (checks: ReadonlyArray<Check>): string =>
  checks
    .flatMap(({ advice, level, name, text }) => [
      `${level.padEnd(4)}  ${name.padEnd(8)}  ${text}`,
      ...(advice === undefined ? [] : [`${" ".repeat(16)}${advice}`])
    ])
    .join("\n")

/** Writes a command for the examined database: `signalbox verify --db FILE`. */
export type Say = (words: string) => string

/** Leaves out `--db` if the command would find the database without it. */
export const say =
  (db: string, isNamed: boolean): Say =>
  (words) =>
    `signalbox ${words}${isNamed ? ` --db ${quoted(db)}` : ""}`

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
