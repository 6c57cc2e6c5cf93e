// The entry of a process without a network: runs offline.ts and prints the result.
import { inFolder } from "../Program.ts"
import { offline } from "./offline.ts"

console.log(JSON.stringify(await inFolder((folder) => offline(folder, "netless", []))))
process.exit(0)
