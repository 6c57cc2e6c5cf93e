// The program's entry: makes new files private (umask 077) and runs the command line or, called by a server of its own,
// the process of one back-test.
import { WORD } from "./backtests/Program.ts"

process.umask(0o077)
if (process.argv[2] === WORD) await import("./backtests/main.ts")
else (await import("./cli/program/signalbox.ts")).run(process.argv)
