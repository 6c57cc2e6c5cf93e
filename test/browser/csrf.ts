// Another site in the same browser posts to the server with the victim's cookie, and changes nothing.
import { token } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import type { Site, Suite } from "./lib/Stage.ts"

/** Another port of the same host is the same site to the browser, which sends even strict cookies there. */
const HOSTS = { "the same site": "127.0.0.1", "another site": "localhost" }

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const made = await known(site)
  const mallory = await token(site.db, "mallory", "full")
  const trap = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      new Response("<!doctype html><title>trap</title>", { headers: { "content-type": "text/html" } })
  })
  const { steps } = stage
  try {
    for (const [who, host] of Object.entries(HOSTS)) {
      const visitor = await stage.visit(site.base, site.token)
      await visitor.go()
      await visitor.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
      const page = await visitor.context.newPage()
      const armed = { requests: 0 }
      page.on("request", async (request) => {
        const headers = await request.allHeaders().catch(() => ({ cookie: undefined }))
        if (request.method() === "POST" && headers.cookie !== undefined) armed.requests += 1
      })
      // The browser's messages about refused attacks are expected.
      visitor.mute()
      await page.goto(`http://${host}:${trap.port}/`)

      const before = await state(site)
      await steps.check(`${who}: another site's forms change nothing`, async () => {
        for (const [name, form] of Object.entries(forms(site.base, made, mallory))) {
          await page.goto(`http://${host}:${trap.port}/`)
          await page.evaluate(form)
          await page.waitForURL((url) => url.host === new URL(site.base).host).catch(() => {})
          must((await state(site)) === before, `${name} changed something`)
          must((await page.content()).includes("status"), `${name} was not answered by the server`)
        }
        // The attack counts only if the browser sends the cookie.
        must(armed.requests > 0 === (host === "127.0.0.1"), `${armed.requests} of them came with the cookie`)
        return `${Object.keys(forms(site.base, made, mallory)).length} forms, ${armed.requests} with the cookie`
      })
      await steps.check(`${who}: another site's scripts change and read nothing`, async () => {
        await page.goto(`http://${host}:${trap.port}/`)
        const tries = fetches(site.base, made, mallory)
        for (const [name, script] of Object.entries(tries)) {
          const read = await page.evaluate(
            `(async () => { try { ${script} } catch (error) { return "refused" } })()`
          )
          must(!/[{[]/.test(String(read ?? "")), `${name} read ${read}`)
          must((await state(site)) === before, `${name} changed something`)
        }
        return `${Object.keys(tries).length} tries`
      })
      await steps.check(`${who}: the dashboard cannot be framed`, async () => {
        await page.setContent(`<iframe src="${site.base}/"></iframe>`)
        await page.waitForTimeout(300)
        const framed = page.frames().find((it) => it !== page.mainFrame())
        const inside = await framed?.evaluate("document.querySelector('#page') !== null").catch(() => false)
        must(inside !== true, "it is shown in a frame")
      })
      await steps.check(`${who}: the victim stays signed in to the same account`, async () => {
        const session = await visitor.context.request.get(`${site.base}/v1/dashboard/session`)
        must(session.ok(), `the session was answered ${session.status()}`)
        must((await session.text()).includes('"ann"'), await session.text())
        visitor.hear()
        await visitor.page.reload()
        await visitor.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
      })
      await visitor.close()
    }
  } finally {
    await trap.stop(true)
  }
}
export default suite

/** Creates a signal and a strategy as targets. */
const known = async (site: Site): Promise<{ readonly signal: number; readonly strategy: number }> => {
  const owner = site.owner
  const signal = await owner.signal("Mine")
  return { signal, strategy: await owner.strategy(signal, ["BTC/USDT"]) }
}

/** Everything that an attack could change. */
const state = async (site: Site): Promise<string> => {
  const read = async (path: string) => {
    const answer = await fetch(site.base + path, { headers: site.owner.headers })
    return answer.text()
  }
  const all = await Promise.all(
    ["/v1/signals", "/v1/strategies", "/v1/alerts", "/v1/notifications", "/v1/tokens"].map(read)
  )
  // A read changes the token's last use.
  return all.join("\n").replaceAll(/"(last_used_at|request_id)":[^,}]*/g, "")
}

type Made = Awaited<ReturnType<typeof known>>

const SIGNAL = { name: "Planted", description: "", active: "1", public: "0" }

/** Scripts of the attacking page that send a form, by the name of the attack. */
const forms = (base: string, { signal }: Made, mallory: string): Record<string, string> => {
  const form = (
    path: string,
    fields: Record<string, string>,
    type = "application/x-www-form-urlencoded",
    method = "POST"
  ) =>
    `const form = document.createElement("form"); form.action = ${JSON.stringify(base + path)};` +
    ` form.method = "${method}"; form.enctype = "${type}";` +
    ` for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {` +
    ' const input = document.createElement("input"); input.name = name; input.value = value; form.append(input) }' +
    " document.body.append(form); form.submit()"
  // A form of type text/plain sends NAME=VALUE, which is cut here so that it is JSON.
  const json = (path: string, text: string) =>
    form(path, { [text.slice(0, -1)]: text.slice(-1) }, "text/plain")
  return {
    "a signal as a form": form("/v1/signals", SIGNAL),
    "a signal in parts": form("/v1/signals", SIGNAL, "multipart/form-data"),
    "a method in the form": form(`/v1/signals/${signal}`, { ...SIGNAL, _method: "PUT" }),
    "an alert": form("/v1/signals/alert", {
      signal_id: String(signal),
      coin: "BTC",
      quote_currency: "USDT",
      type: "buy"
    }),
    "a strategy as text": json("/v1/strategies", '{"name":"Planted","x":"="}'),
    "another's session as text": json("/v1/dashboard/session", `{"token":"${mallory}","x":"="}`),
    "another's session as a form": form("/v1/dashboard/session", { token: mallory }),
    "a token": form("/v1/tokens", { scope: "full" })
  }
}

/** Bodies of functions that return what they could read. */
const fetches = (base: string, { signal, strategy }: Made, mallory: string): Record<string, string> => {
  const send = (path: string, method: string, init: string) =>
    `const answer = await fetch(${JSON.stringify(base + path)}, { method: "${method}", credentials: "include", ${init} }); return await answer.text()`
  const text = (value: unknown) => `body: ${JSON.stringify(JSON.stringify(value))}`
  const json = (value: unknown) => `headers: { "content-type": "application/json" }, ${text(value)}`
  const form = `body: new URLSearchParams(${JSON.stringify(SIGNAL)})`
  return {
    "a read": send("/v1/dashboard/overview", "GET", ""),
    "a read of signals": send("/v1/signals", "GET", ""),
    "who is there": send("/v1/dashboard/session", "GET", ""),
    "a form without leave": send("/v1/signals", "POST", `mode: "no-cors", ${form}`),
    "a form": send("/v1/signals", "POST", form),
    "text without leave": send("/v1/strategies", "POST", `mode: "no-cors", ${text({ name: "Planted" })}`),
    "another's session": send(
      "/v1/dashboard/session",
      "POST",
      `mode: "no-cors", ${text({ token: mallory })}`
    ),
    "a change as JSON": send(`/v1/strategies/${strategy}`, "PUT", json({ active: false })),
    "a change as a form": send(`/v1/signals/${signal}`, "PUT", form),
    "a deletion": send(`/v1/strategies/${strategy}`, "DELETE", ""),
    "a sign-out": send("/v1/dashboard/session", "DELETE", ""),
    "a token": send("/v1/tokens", "POST", json({ scope: "full" })),
    "a beacon": `navigator.sendBeacon(${JSON.stringify(`${base}/v1/signals`)}, new URLSearchParams(${JSON.stringify(SIGNAL)})); await new Promise((done) => setTimeout(done, 200))`,
    "a stream of events":
      `return await new Promise((done) => { const source = new EventSource(${JSON.stringify(`${base}/v1/events`)}, { withCredentials: true });` +
      ' source.onopen = () => done("{open}"); source.onerror = () => done("refused") })'
  }
}
