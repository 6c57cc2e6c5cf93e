// Builds the dashboard and the guide from their sources. The same sources give the same bytes and names every time.
import * as HttpApi from "@effect/platform/HttpApi"
import { Api } from "../api/Api.ts"
import { ACTED, IGNORED } from "../domain/Alert.ts"
import { EventKind, KINDS, USUAL_KINDS } from "../domain/Event.ts"
import { EXIT_REASONS } from "../domain/Order.ts"
import type { Asset } from "./Archive.ts"
import * as Guide from "./Guide.ts"
import { templateOf } from "./ReportDocument.ts"

const PAGE = `${import.meta.dir}/page`
const PLACES = { script: "%SCRIPT%", parts: "<!--PARTS-->", style: "%STYLE%", icon: "%ICON%" }

/** All files of the dashboard and the guide. */
export const bundle = async (): Promise<ReadonlyArray<Asset>> => {
  const version = await versionOf()
  const report = reportAsset(await reportTemplate())
  const constants = defined(version, report.path)
  const [dashboard, guide, sources] = await Promise.all([
    built(["main.tsx", "styles/main.css", "favicon.svg"], constants),
    // On its own, so that it shares no chunks with the dashboard: each loads fast.
    built(["guide/guide.tsx", "styles/guide.css"], constants),
    Guide.sources()
  ])
  const page = {
    path: "/",
    type: "text/html; charset=utf-8",
    body: await documentOf(dashboard),
    immutable: false
  }
  const parts = {
    script: pathOf(guide, /\/guide-[^/]*\.js$/),
    style: pathOf(guide, /\/guide-[^/]*\.css$/),
    icon: pathOf(dashboard, ICON),
    version
  }
  const assets = [...dashboard, ...guide]
    .map(({ body, path }) => ({ path, type: typeOf(path), body, immutable: true }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return [page, ...assets, report, ...Guide.guide(sources, parts)]
}

/** The template is data, which is why nobody is sent it as a page. */
const reportAsset = (template: string): Asset => ({
  ...Guide.named("report", "html", new TextEncoder().encode(template)),
  type: "text/plain; charset=utf-8",
  immutable: true
})

/** The template of reports (src/web/ReportDocument.ts), with script and style in it. */
export const reportTemplate = async (): Promise<string> => {
  const files = await built(["report/main.tsx", "styles/report.css"], defined(await versionOf(), ""), "whole")
  const textOf = (name: RegExp) =>
    new TextDecoder().decode(files.find(({ path }) => name.test(path))?.body).trim()
  const [script, style] = [textOf(/\.js$/), textOf(/\.css$/)]
  const icon = (await Bun.file(`${PAGE}/favicon.svg`).text()).trim()
  // Text that ends or comments out its own element would be cut off there, and a carriage return changes the digest.
  for (const text of [script, style])
    if (text === "" || /<\/(?:script|style)|<!--|\r/i.test(text))
      throw new Error("the bundle of reports cannot stand within a document")
  return templateOf({
    script,
    scriptDigest: digestOf(script),
    style,
    styleDigest: digestOf(style),
    icon: `data:image/svg+xml,${encodeURIComponent(icon)}`
  })
}

const digestOf = (text: string): string =>
  `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`

/** Bundles scripts, styles and icons: split into chunks that are loaded when they are needed, or each whole. */
const built = async (
  entrypoints: ReadonlyArray<string>,
  constants: ReturnType<typeof defined>,
  size: "split" | "whole" = "split"
): Promise<ReadonlyArray<Built>> => {
  const { outputs } = await Bun.build({
    entrypoints: entrypoints.map((name) => `${PAGE}/${name}`),
    root: PAGE,
    target: "browser",
    format: "esm",
    minify: true,
    splitting: size === "split",
    sourcemap: "none",
    publicPath: "/assets/",
    naming: {
      entry: "[name]-[hash].[ext]",
      chunk: "[name]-[hash].[ext]",
      asset: "[name]-[hash].[ext]"
    },
    loader: { ".svg": "file" },
    jsx: { runtime: "automatic", importSource: "preact", development: false },
    define: { "process.env.NODE_ENV": '"production"', ...constants }
  })
  const files = await Promise.all(
    outputs.map(async (file) => ({
      entry: file.kind === "entry-point",
      path: `/assets/${file.path.replace(/^.*\//, "")}`,
      body: new Uint8Array(await file.arrayBuffer())
    }))
  )
  // The icon's entry is a script that only names the icon's file: leave it out.
  return files.filter(({ entry, path }) => !(entry && /\/favicon-[^/]*\.js$/.test(path)))
}

/**
 * Constants that the page needs: the path of the template of reports, and of the contract the routes and the kinds of events. The page then does not bundle
 * the contract itself.
 */
const defined = (version: string, report: string) => ({
  __VERSION__: JSON.stringify(version),
  __REPORT__: JSON.stringify(report),
  __ROUTES__: JSON.stringify(routes()),
  __KINDS__: JSON.stringify(EventKind.literals),
  __KIND_WORDS__: JSON.stringify(KINDS),
  __REASONS__: JSON.stringify([...ACTED, ...IGNORED]),
  __EXIT_REASONS__: JSON.stringify(EXIT_REASONS),
  __USUAL_KINDS__: JSON.stringify(USUAL_KINDS)
})

/** Method and path of every operation, by `group.endpoint`. */
export const routes = (): Readonly<Record<string, readonly [method: string, path: string]>> => {
  const found: Record<string, readonly [string, string]> = {}
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      found[`${group.identifier}.${endpoint.name}`] = [endpoint.method, endpoint.path]
    }
  })
  return found
}

interface Built {
  readonly entry: boolean
  readonly path: string
  readonly body: Uint8Array
}

const ICON = /\/favicon-[^/]*\.svg$/

const pathOf = (files: ReadonlyArray<Built>, name: RegExp): string =>
  files.find(({ path }) => name.test(path))?.path ?? ""

const documentOf = async (files: ReadonlyArray<Built>): Promise<Uint8Array> => {
  const script = files.find(({ entry, path }) => entry && /\/main-[^/]*\.js$/.test(path))
  const text = await Bun.file(`${PAGE}/index.html`).text()
  return new TextEncoder().encode(
    text
      .replace(PLACES.script, script?.path ?? "")
      .replace(PLACES.parts, partsOf(script))
      .replace(PLACES.style, pathOf(files, /\/main-[^/]*\.css$/))
      .replace(PLACES.icon, pathOf(files, ICON))
      .replace(/>\s+</g, "><")
  )
}

/** Preloads the chunks that the entry script imports at once. */
const partsOf = (script: Built | undefined): string =>
  [...new TextDecoder().decode(script?.body).matchAll(/(?:from|import)\s*"(\/assets\/[^"]+)"/g)]
    .map(([, path]) => `<link rel="modulepreload" href="${path}">`)
    .join("")

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml"
}
const typeOf = (path: string): string => TYPES[path.replace(/^.*\./, "")] ?? "application/octet-stream"

const versionOf = async (): Promise<string> => {
  const { version }: { readonly version: string } = await Bun.file(
    `${import.meta.dir}/../../package.json`
  ).json()
  return version
}
