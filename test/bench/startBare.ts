// The start bench's reference: a program that does nothing but answer.
Bun.serve({
  port: Number(process.argv[2]),
  hostname: "127.0.0.1",
  development: false,
  fetch: () => new Response("ok")
})
