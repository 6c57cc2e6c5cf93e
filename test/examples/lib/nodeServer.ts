// A web handler behind Node's own http server. Frameworks have such an adapter; this is all there is to it.
import { createServer, type IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { ReadableStream } from "node:stream/web"

export type Handle = (request: Request, peer?: string) => Promise<Response>

/** Listens on a free port of loopback, and tells which. */
export const listen = async (handle: Handle) => {
  const server = createServer(async (incoming, outgoing) => {
    const response = await handle(requestOf(incoming), incoming.socket.remoteAddress)
    outgoing.writeHead(response.status, [...response.headers].flat())
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}

const requestOf = (incoming: IncomingMessage): Request => {
  const { headers, method = "GET", url = "/" } = incoming
  const pairs = Object.entries(headers).flatMap(
    ([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, String(value)]])
  )
  const init = { method, headers: pairs }
  const address = `http://${headers.host ?? "localhost"}${url}`
  if (method === "GET" || method === "HEAD") return new Request(address, init)
  return new Request(address, { ...init, body: ReadableStream.from(Readable.from(incoming)), duplex: "half" })
}
