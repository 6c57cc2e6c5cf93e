// Builds the dashboard and the guide from their sources. The same sources give the same bytes and names every time.
import * as HttpApi from "@effect/platform/HttpApi"
import { Api } from "../api/Api.ts"
import { ACTED, IGNORED } from "../domain/Alert.ts"
import { EventKind, KINDS, USUAL_KINDS } from "../domain/Event.ts"
import { EXIT_REASONS } from "../domain/Order.ts"
import type { Asset } from "./Archive.ts"
import * as Guide from "./Guide.ts"

const PAGE = `${import.meta.dir}/page`
const PLACES = { script: "%SCRIPT%", parts: "<!--PARTS-->", style: "%STYLE%", icon: "%ICON%" }

/** All files of the dashboard and the guide. */
export const bundle = async (): Promise<ReadonlyArray<Asset>> => {
  const version = await versionOf()
  const [dashboard, guide, sources] = await Promise.all([
    built(["main.tsx", "styles/main.css", "favicon.svg"], version),
    // On its own, so that it shares no chunks with the dashboard: each loads fast.
    built(["guide/guide.tsx", "styles/guide.css"], version),
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
  return [page, ...assets, ...Guide.guide(sources, parts)]
}

/** Bundles scripts, styles and icons. */
const built = async (entrypoints: ReadonlyArray<string>, version: string): Promise<ReadonlyArray<Built>> => {
  const { outputs } = await Bun.build({
    entrypoints: entrypoints.map((name) => `${PAGE}/${name}`),
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
    define: { "process.env.NODE_ENV": '"production"', ...defined(version) }
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
 * Constants of the contract that the page needs: the routes and the kinds of events. The page then does not bundle
 * the contract itself.
 */
const defined = (version: string) => ({
  __VERSION__: JSON.stringify(version),
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
