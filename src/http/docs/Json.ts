// Reads the OpenAPI document as plain JSON: what is missing or of another type is empty.

export type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value at a path of names. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value)

export const text = (value: unknown): string => (typeof value === "string" ? value : "")
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
export const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isJson(value) ? Object.entries(value) : []

/** A text for HTML, as content and in attributes. */
export const escaped = (value: string): string =>
  value.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter)

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A description: texts between backticks become code. */
export const prose = (value: string): string =>
  escaped(value).replace(/`([^`]{1,200})`/g, (_, code: string) => `<code>${code}</code>`)
