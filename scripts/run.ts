// The one entry of the tooling: `bun scripts/run.ts NAME [args]`.
// It runs on a fresh clone, so nothing here may import a package: node_modules may not exist yet.
import { build } from "./build.ts"
import { check, format } from "./check.ts"
import { bun, interactive } from "./command.ts"
import { pack } from "./package.ts"
import { reference } from "./reference/index.ts"
import { sbom } from "./sbom.ts"
import { setup } from "./setup.ts"
import { unused } from "./unused.ts"

type Command = (args: ReadonlyArray<string>) => number | Promise<number>

const commands: Record<string, Command> = {
  setup: () => 0,
  check,
  format,
  build,
  sbom,
  api: (args) => interactive([bun(), "scripts/api/index.ts", ...args]),
  settings: (args) => interactive([bun(), "scripts/settings.ts", ...args]),
  reference,
  package: pack,
  unused,
  examples: (args) => interactive([bun(), "test/examples/index.ts", ...args]),
  demo: (args) => interactive([bun(), "src/main.ts", "demo", ...args]),
  oracle: (args) => interactive([bun(), "test/oracle/index.ts", ...args]),
  sim: (args) => interactive([bun(), "test/sim/index.ts", ...args]),
  reliability: (args) => interactive([bun(), "test/reliability/index.ts", ...args]),
  browser: (args) => interactive([bun(), "test/browser/index.ts", ...args]),
  bench: (args) => interactive([bun(), "test/bench/index.ts", ...args]),
  ci: (args) => interactive([bun(), "scripts/smoke.ts", ...args])
}

const [name = "", ...args] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) {
  console.error(`usage: bun run ${Object.keys(commands).join("|")}`)
  process.exit(2)
}
process.exit(setup() || (await command(args)))
