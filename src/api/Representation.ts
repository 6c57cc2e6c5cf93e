// Sends a file in the encoding that the caller accepts, with an ETag for caches (RFC 9110, 8.8.3 and 15.4.5). All
// callers share one Blob, so a reader that does not read costs no copy.
import { type Coding, codingOf, hasAlready } from "./Negotiation.ts"

export interface File {
  /** The encodings available besides identity. */
  readonly codings: { readonly gzip?: boolean; readonly br?: boolean }
  /** Reads the body in one encoding. */
  readonly read: (coding: Coding) => Promise<Blob>
  /** Changes with the content. */
  readonly tag: string
  readonly type: string
  /** Whether the name changes with the content, so that caches may keep the file for ever. */
  readonly immutable: boolean
  readonly headers: Readonly<Record<string, string>>
  /** 404 for a page that says what is missing, which caches do not keep; absent, 200. */
  readonly status?: 200 | 404
}

const FOR_EVER = "public, max-age=31536000, immutable"

/** Answers GET and HEAD. */
export const answer = async (file: File, { headers, method }: Request): Promise<Response> => {
  const coding = codingOf(
    headers.get("accept-encoding"),
    (one) => one === "identity" || file.codings[one] === true
  )
  // Each encoding needs an ETag of its own.
  const etag = coding === "identity" ? `"${file.tag}"` : `"${file.tag}-${coding}"`
  const { status = 200 } = file
  const standing = {
    ...file.headers,
    vary: "Accept-Encoding",
    ...(status === 200
      ? { etag, "cache-control": file.immutable ? FOR_EVER : "no-cache" }
      : { "cache-control": "no-store" })
  }
  if (status === 200 && hasAlready(headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers: standing })
  const body = await file.read(coding)
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: {
      ...standing,
      "content-type": file.type,
      "content-length": String(body.size),
      ...(coding === "identity" ? {} : { "content-encoding": coding })
    }
  })
}

/** A file from its text: compressed once, where the runtime can. */
export const published = async (
  text: string,
  { headers = {}, immutable = false, type }: Partial<File> & Pick<File, "type">
): Promise<File> => {
  const plain = new Blob([text])
  const [tag, gzip] = await Promise.all([hashOf(plain), zipped(plain)])
  const isSmaller = gzip !== undefined && gzip.size < plain.size
  return {
    codings: { gzip: isSmaller },
    read: (coding) => Promise.resolve(coding === "gzip" && isSmaller ? gzip : plain),
    tag,
    type,
    immutable,
    headers
  }
}

const zipped = async (body: Blob): Promise<Blob | undefined> =>
  typeof CompressionStream === "undefined"
    ? undefined
    : new Blob([await new Response(body.stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer()])

/** Letters of a hash that names a version. */
const HASH_LETTERS = 16

const hashOf = async (body: Blob): Promise<string> => {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await body.arrayBuffer()))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .slice(0, HASH_LETTERS)
}
