// The OpenAPI 3.1 document, and the reference page where there is one. Each is made at its first request, because the
// binary has to start fast.
import * as Representation from "../../api/Representation.ts"
import { INTERFACE, type VenueList } from "../../domain/market/VenueList.ts"

/**
 * A reference page: `load` makes its document, at `/docs`, and its files, below that, by their paths. It is given the
 * OpenAPI document as plain JSON.
 */
export interface ReferencePage {
  readonly load: (document: unknown) => Promise<ReadonlyMap<string, Representation.File>>
}

export interface Docs {
  /** Whether a path belongs to these pages; with a reference page, an unknown path below `/docs` is 404. */
  readonly isOurs: (path: string) => boolean
  /** Responds with the document, the page or one of its files; undefined for any other path. */
  readonly answer: (path: string, request: Request) => Promise<Response | undefined>
}

const OPENAPI_PATH = "/openapi.json"
/** Where the reference page is. */
export const DOCS_PATH = "/docs"
/** The folder of the page's files. */
export const FILES = `${DOCS_PATH}/`

/** The path under which requests are counted in the metrics. */
export const routeOf = (path: string): string => (path.startsWith(FILES) ? DOCS_PATH : path)

/**
 * Makes the document and the page. `mountPath` is where an app mounts the interface, like `/trading`; "" at the root.
 * `venues` are those that requests may name. Without a `page` nothing is at `/docs`.
 */
export const make = ({
  mountPath,
  page,
  venues
}: {
  readonly mountPath: string
  readonly page: ReferencePage | undefined
  readonly venues: VenueList
}): Docs => {
  const written = once(() => openApi(mountPath, venues))
  const description = once(async () =>
    Representation.published(await written(), { type: "application/json" })
  )
  const reference = once(async () => page?.load(JSON.parse(await written())))
  return {
    isOurs: (path) =>
      path === OPENAPI_PATH || (page !== undefined && (path === DOCS_PATH || path.startsWith(FILES))),
    answer: async (path, request) => {
      const file = path === OPENAPI_PATH ? await description() : (await reference())?.get(path)
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
const openApi = async (mountPath: string, venues: VenueList): Promise<string> => {
  const [{ Api }, OpenApi] = await Promise.all([
    import("../../api/Api.ts"),
    import("@effect/platform/OpenApi")
  ])
  const spec = OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })
  const mounted = mountPath === "" ? spec : { ...spec, servers: [{ url: mountPath }] }
  return listed(JSON.stringify(mounted), venues)
}

/** The document with the venues of this server in the place of those of the interface. */
const listed = (document: string, { exchanges, quoteCurrencies }: VenueList): string =>
  document
    .replaceAll(enumOf(INTERFACE.exchanges), enumOf(exchanges))
    .replaceAll(enumOf(INTERFACE.quoteCurrencies), enumOf(quoteCurrencies))

const enumOf = (names: ReadonlyArray<string>): string => `"enum":${JSON.stringify(names)}`
