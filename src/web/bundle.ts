// Builds the dashboard from its sources. The same sources give the same bytes and names every time.
import * as HttpApi from "@effect/platform/HttpApi"
import { Api } from "../api/Api.ts"
import { EventKind, KINDS, USUAL_KINDS } from "../domain/Event.ts"

/** A file of the dashboard, ready to serve. */
export interface Asset {
  /** `/` for the document, `/assets/NAME-HASH.EXT` for all else. */
  readonly path: string
  /** The content type. */
  readonly type: string
  readonly body: Uint8Array
  /** Whether the name contains a hash of the content, so that it may be cached for ever. */
  readonly immutable: boolean
}

const PAGE = `${import.meta.dir}/page`
const PLACES = { script: "%SCRIPT%", parts: "<!--PARTS-->", style: "%STYLE%", icon: "%ICON%" }

/** Bundles scripts, styles and icon, and fills in the document. */
export const bundle = async (): Promise<ReadonlyArray<Asset>> => {
  const built = await Bun.build({
    entrypoints: [`${PAGE}/main.tsx`, `${PAGE}/styles/main.css`, `${PAGE}/favicon.svg`],
    root: PAGE,
    target: "browser",
    format: "esm",
    minify: true,
    splitting: true,
    sourcemap: "none",
    publicPath: "/assets/",
    naming: {
      entry: "[name]-[hash].[ext]",
      chunk: "[name]-[hash].[ext]",
      asset: "[name]-[hash].[ext]"
    },
    loader: { ".svg": "file" },
    jsx: { runtime: "automatic", importSource: "preact", development: false },
    define: { "process.env.NODE_ENV": '"production"', ...defined(await versionOf()) }
  })
  const files = await Promise.all(
    built.outputs.map(async (file) => ({
      entry: file.kind === "entry-point",
      path: `/assets/${file.path.replace(/^.*\//, "")}`,
      body: new Uint8Array(await file.arrayBuffer())
    }))
  )
  // The icon's entry is a script that only names the icon's file: leave it out.
  const wanted = files.filter(({ entry, path }) => !(entry && /\/favicon-[^/]*\.js$/.test(path)))
  const page = {
    path: "/",
    type: "text/html; charset=utf-8",
    body: await documentOf(wanted),
    immutable: false
  }
  const assets = wanted
    .map(({ body, path }) => ({ path, type: typeOf(path), body, immutable: true }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  return [page, ...assets]
}

/**
 * Constants of the contract that the page needs: the routes and the kinds of events. The page then does not bundle
 * the contract itself.
 */
const defined = (version: string) => ({
  __VERSION__: JSON.stringify(version),
  __ROUTES__: JSON.stringify(routes()),
  __KINDS__: JSON.stringify(EventKind.literals),
  __KIND_WORDS__: JSON.stringify(KINDS),
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

const documentOf = async (files: ReadonlyArray<Built>): Promise<Uint8Array> => {
  const script = files.find(({ entry, path }) => entry && /\/main-[^/]*\.js$/.test(path))
  const find = (name: RegExp) => files.find(({ path }) => name.test(path))?.path ?? ""
  const text = await Bun.file(`${PAGE}/index.html`).text()
  return new TextEncoder().encode(
    text
      .replace(PLACES.script, script?.path ?? "")
      .replace(PLACES.parts, partsOf(script))
      .replace(PLACES.style, find(/\/main-[^/]*\.css$/))
      .replace(PLACES.icon, find(/\/favicon-[^/]*\.svg$/))
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
