// The door `signalbox/http/docs`: the reference page of the interface at `/docs`. Its script and style are files of this
// server, named by their hashes. It is a door of its own, so that a bundle without it has none of it.
import * as Representation from "../api/Representation.ts"
import { pageOf } from "./docs/Page.ts"
import { SCRIPT } from "./docs/Script.ts"
import { STYLE } from "./docs/Style.ts"
import { DOCS_PATH, FILES, type ReferencePage } from "./views/Docs.ts"

export type { ReferencePage }

/** What a server has beside the reference. */
export interface ReferenceOptions {
  /** The path of the guide, which the page then links to, as to the dashboard at `/`; absent, there is none. */
  readonly guide?: string
}

/**
 * The reference page, for `Http.layer({ docs })` and `toWebHandler(services, { docs })`: people read every operation at
 * `/docs`, with examples in curl, TypeScript and Python. It is made with the first request.
 *
 * @example
 * ```ts
 * import { Memory } from "signalbox"
 * import { toWebHandler } from "signalbox/http"
 * import { docs } from "signalbox/http/docs"
 *
 * const { handle } = toWebHandler(Memory.layer(), { docs })
 * const page = await handle(new Request("http://localhost/docs"))
 * ```
 */
export const docs: ReferencePage = { load: (document) => files(document, {}) }

/** The same beside other pages of a server. */
export const docsBeside = (options: ReferenceOptions): ReferencePage => ({
  load: (document) => files(document, options)
})

/** The page may run its own script, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const files = async (
  document: unknown,
  { guide }: ReferenceOptions
): Promise<ReadonlyMap<string, Representation.File>> => {
  const named = async (ending: string, type: string, text: string) => {
    const file = await Representation.published(text, { type, immutable: true })
    return { file, path: `${FILES}reference-${file.tag}.${ending}` }
  }
  const style = await named("css", "text/css; charset=utf-8", STYLE)
  const script = await named("js", "text/javascript; charset=utf-8", SCRIPT)
  // Addresses are relative, because an app may mount us below a path.
  const html = pageOf(document, { style: style.path.slice(1), script: script.path.slice(1), guide })
  const page = await Representation.published(html, {
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": POLICY }
  })
  return new Map([
    [DOCS_PATH, page],
    [style.path, style.file],
    [script.path, script.file]
  ])
}
