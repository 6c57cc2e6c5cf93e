// Writes a report (src/web/ReportDocument.ts) to a file. It appears whole or not at all, and replaces nothing but an
// earlier page.
import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from "node:fs"
import * as Options from "@effect/cli/Options"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { shownAddress } from "../../domain/requests/Database.ts"
import { partOf, place } from "../../sqlite/backups/Durable.ts"
import type { ReportPage } from "../../web/ReportDocument.ts"
import * as Reports from "../../web/Reports.ts"
import { FileError } from "../backtest/files.ts"
import { writable } from "../sweep/BatchWriter.ts"
import { usage } from "./usage.ts"
import { version } from "./version.ts"

export const html = Options.text("html").pipe(
  Options.optional,
  Options.withDescription(
    "write a report with charts to this file: one HTML page that opens from disk; replaces an earlier page"
  )
)

/** Fails where the report cannot be written: better before long work than after. */
export const permitted = (file: Option.Option<string>) =>
  Option.match(file, {
    onNone: () => Effect.void,
    onSome: (file) =>
      file.trim() === "" || file === "-"
        ? usage("--html takes the name of a file, like report.html; standard output has the figures")
        : Effect.zipRight(writable(file), mayReplace(file))
  })

/** The beginning of a page, which no other file of ours has. */
const PAGE = /^\s*<!doctype html/i
const LONGEST_START = 64

/** A slip of the hand must not replace a strategy, a recording or a database. */
const mayReplace = (file: string) =>
  Effect.suspend(() => {
    if (!existsSync(file)) return Effect.void
    const isPage = statSync(file).isFile() && (statSync(file).size === 0 || PAGE.test(startOf(file)))
    return isPage ? Effect.void : fail(file, "is there already and is no HTML page: choose another name")
  }).pipe(Effect.catchAllDefect(() => fail(file, "cannot be written")))

const startOf = (file: string): string => {
  const opened = openSync(file, "r")
  try {
    const bytes = new Uint8Array(LONGEST_START)
    return new TextDecoder().decode(bytes.subarray(0, readSync(opened, bytes)))
  } finally {
    closeSync(opened)
  }
}

const fail = (file: string, text: string) => Effect.fail(new FileError({ file, text }))

/** Writes a page with its data, and says on standard error where it is. */
export const write = (file: string, page: Pick<ReportPage, "page" | "title" | "data">) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const document = yield* Effect.promise(() =>
      Reports.html({
        ...page,
        made_at: Math.floor(now / 1000),
        version,
        command: commandLine(process.argv.slice(2))
      })
    )
    yield* Effect.scoped(
      Effect.flatMap(partOf(file), (part) =>
        Effect.try({
          try: () => {
            writeFileSync(part, document)
            place(part, file)
          },
          catch: () => new FileError({ file, text: "cannot be written" })
        })
      )
    )
  })

/** The command line as a shell takes it, with addresses of databases as they may be shown: a report is passed on. */
export const commandLine = (args: ReadonlyArray<string>): string =>
  ["signalbox", ...args.map((word) => quoted(withoutWayIn(word)))].join(" ")

const withoutWayIn = (word: string): string =>
  word.replace(/(?<=^|^--\w+=)postgres(ql)?:.*/s, (address) => shownAddress(Redacted.make(address)))

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
