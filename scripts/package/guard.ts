// Stops a program that has another Effect than the package takes: not every package manager says so when it installs.
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { path } from "../command.ts"
import { range } from "./peers.ts"

/**
 * The file's name is part of what is printed: where Effect 4 lacks the module that it imports, Node and Bun name the
 * importing file and nothing else.
 */
export const FILE = "signalbox-takes-effect-3.js"

/** Puts the guard in front of each door, on its first line, so that source maps stay true. */
export const guard = (folder: string, doors: Iterable<string>): void => {
  const dist = path(join(folder, "dist"))
  writeFileSync(join(dist, FILE), text(range("effect") ?? ""))
  for (const door of doors) {
    const file = join(dist, door)
    const from = relative(dirname(door), FILE)
    const address = JSON.stringify(from.startsWith(".") ? from : `./${from}`)
    writeFileSync(file, `import ${address}; ${readFileSync(file, "utf8")}`)
  }
}

/** The module: a caret range says the oldest version, and that the major is the same. */
const text = (wanted: string): string => {
  const [major = "", minor = ""] = wanted.replace("^", "").split(".")
  return [
    `// signalbox takes effect ${wanted}: see "Install" in its README.`,
    `import { getCurrentVersion } from "effect/ModuleVersion"`,
    "const found = getCurrentVersion()",
    `const [major = 0, minor = 0] = found.split(".").map(Number)`,
    `if (major !== ${major} || minor < ${minor})`,
    `  throw new Error(\`signalbox takes effect ${wanted}, and found \${found}: see "Install" in its README\`)`,
    ""
  ].join("\n")
}
