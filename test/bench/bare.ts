// What the ingest bench compares with: the least that Bun can do to answer the same JSON, in a process of its own.
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
