// The door `signalbox/http/docs`: the reference page of the interface at `/docs`. Its scripts and styles are files of this
// server, named by their hashes. It is a door of its own because its script weighs more than all else together.
import * as Representation from "../api/Representation.ts"
import { DOCS_PATH, FILES, type ReferencePage } from "./views/Docs.ts"

export type { ReferencePage }

/**
 * The reference page, for `Http.layer({ docs })` and `toWebHandler(services, { docs })`: people read the interface at
 * `/docs`, and try it. Its 1.9 MB are loaded with the first request; without this door a bundle has none of them.
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
export const docs: ReferencePage = { load: () => files() }

/** The page may run its own scripts and call this server, nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Its script styles what it draws.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** Without the validator, which calls an outside host. Addresses are relative, because an app may mount us below a path. */
const START = `window.onload = () => {
  window.ui = SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui", validatorUrl: null })
}
`

const files = async (): Promise<ReadonlyMap<string, Representation.File>> => {
  const { script, style } = await swagger()
  const named = async (name: string, ending: string, type: string, text: string) => {
    const file = await Representation.published(text, { type, immutable: true })
    return { file, path: `${FILES}${name}-${file.tag}.${ending}` }
  }
  const made = await Promise.all([
    named("swagger", "css", "text/css; charset=utf-8", style),
    named("swagger", "js", "text/javascript; charset=utf-8", script),
    named("start", "js", "text/javascript; charset=utf-8", START)
  ])
  const [css = "", ...scripts] = made.map(({ path }) => path.slice(1))
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signalbox Documentation</title>
<link rel="stylesheet" href="${css}">
</head>
<body>
<div id="swagger-ui"></div>
${scripts.map((src) => `<script src="${src}"></script>`).join("\n")}
</body>
</html>
`
  const page = await Representation.published(html, {
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": POLICY }
  })
  return new Map([[DOCS_PATH, page], ...made.map(({ file, path }) => [path, file] as const)])
}

/** The parts of the page that @effect/platform renders, through a router without other routes. */
const swagger = async () => {
  const [HttpApi, HttpApiSwagger, HttpLayerRouter] = await Promise.all([
    import("@effect/platform/HttpApi"),
    import("@effect/platform/HttpApiSwagger"),
    import("@effect/platform/HttpLayerRouter")
  ])
  // An interface without operations: the reference reads ours from where it is served.
  const api = HttpApi.make("signalbox")
  const page = HttpApiSwagger.layerHttpLayerRouter({ api, path: DOCS_PATH })
  const { dispose, handler } = HttpLayerRouter.toWebHandler(page, { disableLogger: true })
  const html = await (await handler(new Request(`http://localhost${DOCS_PATH}`))).text()
  await dispose()
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ""
  const scripts = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? ""
  // The page's own start comes last in the script: it is cut off.
  const script = scripts.slice(0, scripts.lastIndexOf("window.onload"))
  return { script, style }
}
