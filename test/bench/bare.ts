// The ingest bench's reference: a process in which Bun does the minimum to answer the same JSON.
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  fetch: async (request) => {
    await request.json()
    return Response.json({ type: "success", message: "The alert was recorded." })
  }
})
console.log(server.port)
