import { run } from "./cli/signalbox.ts"

process.umask(0o077)
run(process.argv)
