// `unused`: files, exports and dependencies that nothing uses, as knip finds them. It is no dependency: npx fetches it.
import { interactive, path } from "./command.ts"

const KNIP = "knip@6.44.2"

/** The suites of `reliability` are exported by name for their tests, and as default for the command. */
const ALLOWED = ["--exclude", "duplicates"]

export const unused = (args: ReadonlyArray<string>): Promise<number> =>
  interactive(["npx", "-y", KNIP, "--config", path("scripts/knip.json"), ...ALLOWED, ...args])
