// The command that starts a back-test's process: this program again, with an internal first word.
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Context from "effect/Context"
import { isBuilt } from "../WorkerAddress.ts"

/** The internal command of a back-test's process; it is in no help. */
export const WORD = "backtest-process"

/** The running program itself, even after an upgrade has replaced its file. */
const RUNNING = "/proc/self/exe"
const self = () => (existsSync(RUNNING) ? RUNNING : process.execPath)

/** The command: the built program with `WORD`, or the file `main` beside this one for sources and the npm package. */
export const own = (): ReadonlyArray<string> =>
  isBuilt ? [self(), WORD] : [self(), fileURLToPath(new URL("./main.ts", import.meta.url))]

/**
 * The command that starts a back-test's process. An app that embeds the library and is compiled into one file does not
 * know `WORD`, so it has no command unless it provides one.
 */
export class Program extends Context.Reference<Program>()("signalbox/backtests/Program", {
  defaultValue: (): ReadonlyArray<string> => (isBuilt ? [] : own())
}) {}
