// Serves the files of the dashboard and the guide with a strict content security policy. Hashed names are cached for
// ever; documents are revalidated on each visit.
import * as Representation from "../api/Representation.ts"
import * as Archive from "./Archive.ts"
import { isOfGuide, MISSING_PATH } from "./guide/Addresses.ts"

/** The content security policy: a page may run its own scripts and talk to this server, and nothing else. */
const policyOf = (forms: "'self'" | "'none'") =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'"
  ].join("; ")

const standing = (policy: string) => ({
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
})

/** The guide sends nothing anywhere. */
const OF_GUIDE = standing(policyOf("'none'"))
const OF_DASHBOARD = standing(policyOf("'self'"))

interface AssetRequest {
  readonly request: Request
}

/** Answers a request for a file; undefined if there is none. */
type Page = (assetRequest: AssetRequest) => Promise<Response | undefined>

/**
 * The files of the dashboard and the guide by path: embedded in the built program, beside this file in the published
 * library, or bundled from the sources. Nothing is read before the first request.
 */
export const make = (open: () => Promise<Archive.Opened> = opened) => {
  let archive: Promise<Archive.Opened> | undefined
  const opening = () => {
    // After a failure the next request tries again.
    archive ??= open().catch((fault) => {
      archive = undefined
      throw fault
    })
    return archive
  }
  return (path: string): Page | undefined =>
    path === "/" || path.startsWith("/assets/") || isOfGuide(path)
      ? async ({ request }) => {
          const files = await opening()
          const entry = path === MISSING_PATH ? undefined : files.entries.get(path)
          if (entry !== undefined) return answer(files, entry, request)
          const missing = isOfGuide(path) ? files.entries.get(MISSING_PATH) : undefined
          return missing === undefined ? undefined : answer(files, missing, request, 404)
        }
      : undefined
}

/** Every reader of a body is sent the same bytes: who does not read takes up none of their own. */
const answer = (
  files: Archive.Opened,
  { immutable, path, places, tag, type }: Archive.Entry,
  request: Request,
  status: Representation.File["status"] = 200
): Promise<Response> =>
  Representation.answer(
    {
      codings: { br: places.br !== undefined, gzip: places.gzip !== undefined },
      read: (coding) => files.read(places[coding] ?? places.identity),
      headers: isOfGuide(path) ? OF_GUIDE : OF_DASHBOARD,
      immutable,
      status,
      tag,
      type
    },
    request
  )

/** The name that scripts/build.ts gives the archive; the runtime adds a hash. */
const EMBEDDED = /^dashboard(?:-\w+)?\.page$/

/** The archive's name in the published library. */
const SHIPPED = "./dashboard.page"

/** The archive of the built program or of the published library; undefined among the sources. */
export const shipped = async (): Promise<Blob | undefined> => {
  const embedded = Bun.embeddedFiles.find((file) => "name" in file && EMBEDDED.test(String(file.name)))
  const beside = Bun.file(new URL(SHIPPED, import.meta.url))
  return embedded ?? ((await beside.exists()) ? beside : undefined)
}

const opened = async (): Promise<Archive.Opened> => Archive.open((await shipped()) ?? (await fromSources()))

const fromSources = async (): Promise<Blob> => {
  const { bundle } = await import("./bundle.ts")
  return new Blob([Archive.pack(await bundle(), { gzip: (body) => Bun.gzipSync(Uint8Array.from(body)) })])
}
