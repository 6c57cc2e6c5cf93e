/** What a look at one thing came to, in a line; and what to do about it, where something is to be done. */
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

/** One line a check, with its advice under it. */
export const render = (checks: ReadonlyArray<Check>): string =>
  checks
    .flatMap(({ advice, level, name, text }) => [
      `${level.padEnd(4)}  ${name.padEnd(8)}  ${text}`,
      ...(advice === undefined ? [] : [`${" ".repeat(16)}${advice}`])
    ])
    .join("\n")

/** A command to type, about the database that is examined: `signalbox verify --db FILE`. */
export type Say = (words: string) => string

/** `--db` is left out only where the database is found without it. */
export const say =
  (db: string, isNamed: boolean): Say =>
  (words) =>
    `signalbox ${words}${isNamed ? ` --db ${quoted(db)}` : ""}`

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
