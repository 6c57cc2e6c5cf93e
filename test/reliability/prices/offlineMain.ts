// Run where there is no network: prints what came of it.
import { inFolder } from "../Program.ts"
import { offline } from "./offline.ts"

console.log(JSON.stringify(await inFolder((folder) => offline(folder, "netless", []))))
process.exit(0)
