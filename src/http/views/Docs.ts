// The interface described: OpenAPI 3.1 for programs, and a reference for people, whose scripts and styles are files of
// this server, named by their hashes. Every file is made once, when first asked for: the binary has to start fast.
import * as Representation from "../../api/Representation.ts"

export interface Docs {
  /** Answers for the description, the reference or one of its files; nothing where there is none of that path. */
  readonly answer: (path: string, request: Request) => Promise<Response | undefined>
}

const OPENAPI_PATH = "/openapi.json"
const DOCS_PATH = "/docs"
/** Beneath it are the files of the reference. */
const FILES = `${DOCS_PATH}/`

/** Whether a path may be one of these: what else stands beneath `/docs` is not there. */
export const isOurs = (path: string): boolean =>
  path === OPENAPI_PATH || path === DOCS_PATH || path.startsWith(FILES)

/** The path as it is measured. */
export const routeOf = (path: string): string => (path.startsWith(FILES) ? DOCS_PATH : path)

export const make = (): Docs => {
  const description = once(openApi)
  const reference = once(referenceFiles)
  return {
    answer: async (path, request) => {
      const file = path === OPENAPI_PATH ? await description() : (await reference()).get(path)
      return file === undefined ? undefined : Representation.answer(file, request)
    }
  }
}

/** What failed is tried again by whoever comes next. */
const once = <A>(make: () => Promise<A>): (() => Promise<A>) => {
  let made: Promise<A> | undefined
  return () => {
    made ??= make().catch((fault) => {
      made = undefined
      throw fault
    })
    return made
  }
}

/** From the definitions that serve the interface. */
const openApi = async (): Promise<Representation.File> => {
  const [{ Api }, OpenApi] = await Promise.all([
    import("../../api/Api.ts"),
    import("@effect/platform/OpenApi")
  ])
  const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  return Representation.published(JSON.stringify(spec), { type: "application/json" })
}

/** What the reference may do in the browser: its own scripts, and talk to this server. */
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

/** Without its validator, which an outside host offers. Addresses are relative: an app may mount us beneath a path. */
const START = `window.onload = () => {
  window.ui = SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui", validatorUrl: null })
}
`

const referenceFiles = async (): Promise<ReadonlyMap<string, Representation.File>> => {
  const { script, style } = await swagger()
  const named = async (name: string, ending: string, type: string, text: string) => {
    const file = await Representation.published(text, { type, immutable: true })
    return { file, path: `${FILES}${name}-${file.tag}.${ending}` }
  }
  const files = await Promise.all([
    named("swagger", "css", "text/css; charset=utf-8", style),
    named("swagger", "js", "text/javascript; charset=utf-8", script),
    named("start", "js", "text/javascript; charset=utf-8", START)
  ])
  const [css = "", ...scripts] = files.map(({ path }) => path.slice(1))
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
  return new Map([[DOCS_PATH, page], ...files.map(({ file, path }) => [path, file] as const)])
}

/** The parts of the page as @effect/platform makes it, through a router that has no other route. */
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
  // What the page would start by itself comes last.
  const script = scripts.slice(0, scripts.lastIndexOf("window.onload"))
  return { script, style }
}
