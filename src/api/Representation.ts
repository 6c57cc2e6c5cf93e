// A file as it is sent: in the coding that the caller wants, with a tag by which a cache knows that it has it already
// (RFC 9110, 8.8.3 and 15.4.5). Every caller is sent the same Blob, so that a reader who does not read costs no copy.
import { type Coding, codingOf, hasAlready } from "./Negotiation.ts"

export interface File {
  /** The codings that there are beside the file as it is. */
  readonly codings: { readonly gzip?: boolean; readonly br?: boolean }
  /** The body in one of them. */
  readonly read: (coding: Coding) => Promise<Blob>
  /** Changes with the content. */
  readonly tag: string
  readonly type: string
  /** Whether the name changes with the content, so that the file may be kept for ever. */
  readonly immutable: boolean
  readonly headers: Readonly<Record<string, string>>
}

const FOR_EVER = "public, max-age=31536000, immutable"

/** Answers GET and HEAD. */
export const answer = async (file: File, { headers, method }: Request): Promise<Response> => {
  const coding = codingOf(
    headers.get("accept-encoding"),
    (one) => one === "identity" || file.codings[one] === true
  )
  // Each coding is a representation of its own.
  const etag = coding === "identity" ? `"${file.tag}"` : `"${file.tag}-${coding}"`
  const standing = {
    ...file.headers,
    vary: "Accept-Encoding",
    etag,
    "cache-control": file.immutable ? FOR_EVER : "no-cache"
  }
  if (hasAlready(headers.get("if-none-match"), etag))
    return new Response(null, { status: 304, headers: standing })
  const body = await file.read(coding)
  return new Response(method === "HEAD" ? null : body, {
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
