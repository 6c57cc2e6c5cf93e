// The OpenAPI 3.1 document and the reference page. The page's scripts and styles are files of this server, named by
// their hashes. Each file is built at its first request, because the binary has to start fast.
import * as Representation from "../../api/Representation.ts"

export interface Docs {
  /** Responds with the document, the page or one of its files; undefined for any other path. */
  readonly answer: (path: string, request: Request) => Promise<Response | undefined>
}

const OPENAPI_PATH = "/openapi.json"
const DOCS_PATH = "/docs"
/** The folder of the page's files. */
const FILES = `${DOCS_PATH}/`

/** Whether a path belongs to these pages; an unknown path below `/docs` is 404. */
export const isOurs = (path: string): boolean =>
  path === OPENAPI_PATH || path === DOCS_PATH || path.startsWith(FILES)

/** The path under which requests are counted in the metrics. */
export const routeOf = (path: string): string => (path.startsWith(FILES) ? DOCS_PATH : path)

/** Makes the document and the page. `mountPath` is where an app mounts the interface, like `/trading`; "" at the root. */
export const make = ({ mountPath }: { readonly mountPath: string }): Docs => {
  const description = once(() => openApi(mountPath))
  const reference = once(referenceFiles)
  return {
    answer: async (path, request) => {
      const file = path === OPENAPI_PATH ? await description() : (await reference()).get(path)
      return file === undefined ? undefined : Representation.answer(file, request)
    }
  }
}

/** Builds a value once; after a failure, the next caller tries again. */
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

/** From the definitions that serve the interface. Below a mount path, it names the path as its server. */
const openApi = async (mountPath: string): Promise<Representation.File> => {
  const [{ Api }, OpenApi] = await Promise.all([
    import("../../api/Api.ts"),
    import("@effect/platform/OpenApi")
  ])
  const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  const mounted = mountPath === "" ? spec : { ...spec, servers: [{ url: mountPath }] }
  return Representation.published(JSON.stringify(mounted), { type: "application/json" })
}

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
