import * as Archive from "./Archive.ts"
import { codingOf, hasAlready } from "./Negotiation.ts"

/** What the dashboard may do, in the browser: its own scripts and styles, and talk to this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
].join("; ")

const STANDING = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  vary: "Accept-Encoding"
}

const FOR_EVER = "public, max-age=31536000, immutable"

interface AssetRequest {
  readonly request: Request
}

/** Answers for a file of the dashboard; nothing where there is none of that name. */
type Page = (asked: AssetRequest) => Promise<Response | undefined>

/**
 * The dashboard's files, by path: out of the built program, from beside this file in the published library, or,
 * where this runs from its sources, bundled. Nothing is
 * read or made before one of them is asked for.
 */
export const make = (open: () => Promise<Archive.Opened> = opened) => {
  let archive: Promise<Archive.Opened> | undefined
  const opening = () => {
    // What failed is tried again by whoever comes next.
    archive ??= open().catch((fault) => {
      archive = undefined
      throw fault
    })
    return archive
  }
  return (path: string): Page | undefined =>
    path === "/" || path.startsWith("/assets/")
      ? async ({ request }) => {
          const files = await opening()
          const entry = files.entries.get(path)
          return entry === undefined ? undefined : answer(files, entry, request)
        }
      : undefined
}

const answer = async (
  files: Archive.Opened,
  { immutable, places, tag, type }: Archive.Entry,
  { headers, method }: Request
): Promise<Response> => {
  const coding = codingOf(headers.get("accept-encoding"), (one) => places[one] !== undefined)
  const place = places[coding] ?? places.identity
  // Each coding is a representation of its own.
  const etag = coding === "identity" ? `"${tag}"` : `"${tag}-${coding}"`
  const standing = { ...STANDING, etag, "cache-control": immutable ? FOR_EVER : "no-cache" }
  if (hasAlready(headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers: standing })
  const [start, end] = place
  return new Response(method === "HEAD" ? null : await files.read(place), {
    headers: {
      ...standing,
      "content-type": type,
      "content-length": String(end - start),
      ...(coding === "identity" ? {} : { "content-encoding": coding })
    }
  })
}

/** As scripts/build.ts calls it; the runtime adds a hash. */
const EMBEDDED = /^dashboard(?:-\w+)?\.page$/

/** Beside this file, in the published library. */
const SHIPPED = "./dashboard.page"

const opened = async (): Promise<Archive.Opened> => {
  const embedded = Bun.embeddedFiles.find((file) => "name" in file && EMBEDDED.test(String(file.name)))
  const shipped = Bun.file(new URL(SHIPPED, import.meta.url))
  return Archive.open(embedded ?? ((await shipped.exists()) ? shipped : await fromSources()))
}

const fromSources = async (): Promise<Blob> => {
  const { bundle } = await import("./bundle.ts")
  return new Blob([Archive.pack(await bundle(), { gzip: (body) => Bun.gzipSync(Uint8Array.from(body)) })])
}
