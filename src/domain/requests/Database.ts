// Where a server keeps its records: in a file of SQLite, or in a database of a Postgres server. An address of Postgres
// may hold a password, and is shown without it.
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"

/** A file of SQLite. */
export interface DatabaseFile {
  readonly _tag: "File"
  readonly filename: string
}

/** A database of a Postgres server, as `postgres://user:password@host:5432/database`. */
export interface PostgresDatabase {
  readonly _tag: "Postgres"
  readonly url: Redacted.Redacted
}

/** Where records are kept. */
export type Database = DatabaseFile | PostgresDatabase

/** The form of an address of Postgres, as errors give it. */
export const FORM =
  "postgres://user:password@host:5432/database, with / ? # @ % of a password as %2F %3F %23 %40 %25"

/** The file, unless an address of Postgres is given. */
export const of = (settings: { readonly db: string; readonly database: Redacted.Redacted }): Database =>
  isAbsent(settings.database)
    ? { _tag: "File", filename: settings.db }
    : { _tag: "Postgres", url: settings.database }

/** Whether an address is empty: records are in a file then. */
export const isAbsent = (url: Redacted.Redacted): boolean => Redacted.value(url) === ""

/**
 * Whether a text is an address of Postgres that names a database. One whose password is not encoded is none: what follows
 * a slash in it would pass for the database, and be shown.
 */
export const isAddress = (text: string): boolean => {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hash, password, pathname, username } = new URL(text)
  return hash === "" && /^\/[^/@]+$/.test(pathname) && isDecodable(`${username}${password}${pathname}`)
}

/** The values of `sslmode` in an address. The driver gives others, such as `prefer`, another meaning than Postgres does. */
export const SSL_MODES: ReadonlyArray<string> = [
  "disable",
  "require",
  "verify-ca",
  "verify-full",
  "no-verify"
]

/** Whether the `sslmode` of an address is one of these, or is left out. */
export const hasKnownSslMode = (address: string): boolean => {
  const mode = new URL(address).searchParams.get("sslmode")
  return mode === null || SSL_MODES.includes(mode)
}

const isDecodable = (text: string): boolean => Either.isRight(Encoding.decodeUriComponent(text))

/** An address as it may be shown: without user, password and options. */
export const shownAddress = (url: Redacted.Redacted): string => {
  const text = Redacted.value(url)
  if (!isAddress(text)) return "postgres://"
  const { host, pathname, protocol } = new URL(text)
  return `${protocol}//${host}${pathname}`
}

/** An address without its password, for the terminal of the person who gave it. It keeps the user and the other options. */
export const withoutPassword = (url: Redacted.Redacted): string => {
  const address = new URL(Redacted.value(url))
  address.password = ""
  for (const name of [...address.searchParams.keys()])
    if (/pass/i.test(name)) address.searchParams.delete(name)
  return address.href
}

/** Whether a text is an address of Postgres with a password in it. */
export const holdsPassword = (text: string): boolean => {
  if (!isAddress(text)) return false
  const { password, searchParams } = new URL(text)
  return password !== "" || searchParams.has("password")
}

/** A database as it may be shown. */
export const shown = (database: Database): string =>
  database._tag === "File" ? database.filename : shownAddress(database.url)
