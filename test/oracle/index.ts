// `bun run oracle indicators FOLDER`: holds our indicators against values that others computed. The folder is not part
// of the repository; its README says whose values they are.
import { indicators } from "./indicators.ts"

const [name = "", folder = ""] = process.argv.slice(2)
if (name !== "indicators" || folder === "") {
  console.error("usage: bun run oracle indicators FOLDER")
  process.exit(2)
}
process.exit(await indicators(folder))
