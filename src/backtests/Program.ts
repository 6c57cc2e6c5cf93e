// What starts the process of a back-test: this very program once more, with a word that no user types.
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"

/** The first word of the command line of a back-test's process. */
export const WORD = "backtest-process"

/** The file of the running program, also where another version has been put in its place meanwhile. */
const RUNNING = "/proc/self/exe"
const self = () => (existsSync(RUNNING) ? RUNNING : process.execPath)

/** The command: of the built program its own word, of the sources and of the published library the file beside this one. */
export const own = (): ReadonlyArray<string> =>
  isBuilt ? [self(), WORD] : [self(), fileURLToPath(new URL("./main.ts", import.meta.url))]

const isBuilt = import.meta.url.includes("$bunfs")

/**
 * The command that starts a back-test's process. An app that was built into one file knows no such word as ours: it has
 * none unless it gives one.
 */
export class Program extends Context.Reference<Program>()("signalbox/backtests/Program", {
  defaultValue: (): ReadonlyArray<string> => (isBuilt ? [] : own())
}) {}
