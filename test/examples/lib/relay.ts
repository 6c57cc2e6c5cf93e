// A page cannot listen. So that a server in a page is called by real requests, this server on loopback takes them and
// hands them to the page by a socket, which answers the same way.

/** A request or an answer on its way. */
interface Parcel {
  readonly id: number
  readonly status: number
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly body: string
}

/** The page's side, in the place of `lib/nodeServer.ts`. */
export const IN_PAGE = `export const listen = async (handle) => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/relay")
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error("the relay cannot be reached"))
  })
  socket.onmessage = async ({ data }) => {
    const { id, path, method, headers, body } = JSON.parse(data)
    const isBare = method === "GET" || method === "HEAD"
    const request = new Request(location.origin + path, { method, headers, ...(isBare ? {} : { body }) })
    const response = await handle(request, "127.0.0.1")
    const answer = { id, status: response.status, headers: [...response.headers], body: await response.text() }
    socket.send(JSON.stringify(answer))
  }
  return { url: location.origin, close: async () => socket.close() }
}
`

/** Serves pages, and relays each request of the interface to the page that listens last. */
export const serve = (page: (pathname: string) => Response) => {
  const waiting = new Map<number, (response: Response) => void>()
  let listener: Bun.ServerWebSocket | undefined
  let last = 0
  return Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: async (request, server) => {
      const { pathname, search } = new URL(request.url)
      if (pathname === "/relay" && server.upgrade(request)) return undefined
      if (!pathname.startsWith("/v1/")) return page(pathname)
      if (listener === undefined) return new Response("no page listens", { status: 503 })
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<Response>()
      waiting.set(id, resolve)
      const { headers, method } = request
      const parcel = {
        id,
        path: pathname + search,
        method,
        headers: [...headers],
        body: await request.text()
      }
      listener.send(JSON.stringify(parcel))
      return promise
    },
    websocket: {
      open: (socket) => {
        listener = socket
      },
      message: (_, text) => {
        const { body, headers, id, status }: Parcel = JSON.parse(String(text))
        const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) }
        waiting.get(id)?.(new Response(body === "" ? null : body, init))
        waiting.delete(id)
      }
    }
  })
}
