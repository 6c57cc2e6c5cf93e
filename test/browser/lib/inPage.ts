// Functions that run inside the page.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"

const FOLDER = join(import.meta.dir, "../page")
const transpiler = new Bun.Transpiler({ loader: "ts" })
const scripts = new Map<string, string>()

/**
 * Runs a script of the folder `page` in the page: one function, whose result comes back. They are files of their own
 * since they are written for a browser, whose types differ from those of the tests.
 */
export const inPage = async (page: Page, name: string): Promise<ReadonlyArray<string>> => {
  const script =
    scripts.get(name) ?? transpiler.transformSync(readFileSync(join(FOLDER, `${name}.ts`), "utf8"))
  scripts.set(name, script)
  const found: unknown = await page.evaluate(script)
  if (!Array.isArray(found)) throw new Error(`${name} answered ${JSON.stringify(found)}`)
  return found.map(String)
}
