// One file that holds every file of the dashboard and the guide: the length of an index in hex, the index as JSON, then
// the bodies. Bodies are read on first use.

/** A file of the dashboard or the guide, ready to serve. */
export interface Asset {
  /** `/` for the dashboard's document, `/guide/NAME` for a page of the guide, `/assets/NAME-HASH.EXT` for all else. */
  readonly path: string
  /** The content type. */
  readonly type: string
  readonly body: Uint8Array
  /** Whether the name contains a hash of the content, so that it may be cached for ever. */
  readonly immutable: boolean
}

/** The place of a body in the archive: start, and end (excluded). */
type Place = readonly [start: number, end: number]

/** The index entry of one file. */
export interface Entry {
  readonly path: string
  readonly type: string
  readonly immutable: boolean
  /** Changes when the content changes; used as the ETag. */
  readonly tag: string
  readonly places: { readonly identity: Place; readonly gzip?: Place; readonly br?: Place }
}

/** The compressors, passed in by the build. */
export type Pack = Partial<Record<"gzip" | "br", (body: Uint8Array) => Uint8Array>>

/** Bytes at the front that hold the index's length in hex. */
const LENGTH = 8

/** A compressed body is kept if it has at most this share of the bytes: pictures hardly become smaller. */
const WORTH_KEEPING = 0.9

/** Packs all files, with those compressed bodies that are worth keeping. */
export const pack = (assets: ReadonlyArray<Asset>, { br, gzip }: Pack): Uint8Array => {
  const bodies: Array<Uint8Array> = []
  let end = 0
  const add = (body: Uint8Array): Place => {
    bodies.push(body)
    end += body.length
    return [end - body.length, end]
  }
  const entries = assets.map(({ body, immutable, path, type }): Entry => {
    const zipped = gzip?.(body)
    const smaller = br?.(body)
    const most = body.length * WORTH_KEEPING
    const tag = Bun.hash(body).toString(36)
    const places = {
      identity: add(body),
      ...(zipped !== undefined && zipped.length < most ? { gzip: add(zipped) } : {}),
      ...(smaller !== undefined && smaller.length < most ? { br: add(smaller) } : {})
    }
    return { path, type, immutable, tag, places }
  })
  const list = new TextEncoder().encode(JSON.stringify(entries))
  const archive = new Uint8Array(LENGTH + list.length + end)
  archive.set(new TextEncoder().encode(list.length.toString(16).padStart(LENGTH, "0")))
  archive.set(list, LENGTH)
  let at = LENGTH + list.length
  for (const body of bodies) {
    archive.set(body, at)
    at += body.length
  }
  return archive
}

/** An open archive: the entries by path, and a way to read bodies. */
export interface Opened {
  readonly entries: ReadonlyMap<string, Entry>
  readonly read: (place: Place) => Promise<Blob>
}

/** Reads the index of an archive that `pack` made. Bodies stay on disk until they are first asked for. */
export const open = async (archive: Blob): Promise<Opened> => {
  const length = Number.parseInt(await archive.slice(0, LENGTH).text(), 16)
  const list: ReadonlyArray<Entry> = JSON.parse(await archive.slice(LENGTH, LENGTH + length).text())
  const start = LENGTH + length
  const bodies = new Map<number, Promise<Blob>>()
  const readOnce = async ([from, to]: Place): Promise<Blob> =>
    new Blob([await archive.slice(start + from, start + to).bytes()])
  return {
    entries: new Map(list.map((entry) => [entry.path, entry])),
    read: (place) => {
      const [from] = place
      const body = bodies.get(from) ?? readOnce(place)
      bodies.set(from, body)
      // A failed read is tried again by the next request.
      return body.catch((fault) => {
        bodies.delete(from)
        throw fault
      })
    }
  }
}
