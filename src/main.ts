import { run } from "./cli/program/signalbox.ts"

process.umask(0o077)
run(process.argv)
