// Hostile texts wherever the interface accepts texts: none runs, and all are shown as they are.
import { must } from "../reliability/prices/until.ts"
import { PAYLOADS } from "./lib/naughty.ts"
import { at, places } from "./lib/places.ts"
import type { Site, Suite } from "./lib/Stage.ts"

/** The number of texts used as names, because lists show one page. The others are sent in alerts. */
const NAMES = 45

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const { steps } = stage
  const { owner } = site
  const evenly = PAYLOADS.filter((_, index) => index % Math.ceil(PAYLOADS.length / NAMES) === 0)
  const taken = { signals: new Map<number, string>(), strategies: new Map<number, string>() }

  await steps.take(
    "hostile texts are accepted as names and descriptions of signals and strategies",
    async () => {
      for (const payload of evenly) {
        const name = [...payload].slice(0, 35).join("")
        const fields = { name, description: [...payload].slice(0, 120).join(""), active: "1", public: "0" }
        const signal = await post(site, "/v1/signals", new URLSearchParams(fields))
        if (signal !== undefined) taken.signals.set(Number(signal["id"]), name)
        const [first] = taken.signals.keys()
        const settings = {
          name: [...payload].slice(0, 255).join(""),
          description: [...payload].slice(0, 500).join("")
        }
        const strategy = await owner.strategy(first ?? 0, ["BTC/USDT"], settings).catch(() => undefined)
        if (strategy !== undefined) taken.strategies.set(strategy, settings.name)
      }
      // Control characters are refused, all other texts must be accepted.
      must(
        taken.strategies.size > evenly.length * 0.8,
        `${taken.strategies.size} of ${evenly.length} were taken`
      )
      return `${taken.signals.size} signals, ${taken.strategies.size} strategies`
    }
  )

  await steps.take("hostile texts are accepted in valid and in refused alerts", async () => {
    const [signal = 0] = taken.signals.keys()
    let good = 0
    for (const [index, payload] of PAYLOADS.entries()) {
      const alert = { signal_id: signal, coin: "BTC", quote_currency: "USDT", type: "buy" }
      const bodies = [
        JSON.stringify({ ...alert, comment: payload, id: payload }),
        JSON.stringify({ ...alert, coin: payload }),
        payload
      ]
      for (const body of bodies.slice(0, index % 3 === 0 ? 3 : 1)) {
        const answer = await site.served.fetch(`/v1/signals/charting?key=${site.token}`, {
          method: "POST",
          body
        })
        if (answer.ok) good++
      }
    }
    must(good > 0, "none was taken")
    return `${good} were taken`
  })

  await steps.take("hostile texts are accepted as names of tokens and notifications", async () => {
    let good = 0
    for (const payload of evenly.slice(0, 12)) {
      const name = [...payload].slice(0, 40).join("")
      const json = JSON.stringify({
        kind: "webhook",
        url: `https://203.0.113.1/${encodeURIComponent(payload)}`,
        name,
        label: name
      })
      const target = await post(site, "/v1/notifications", json)
      const token = await post(site, "/v1/tokens", JSON.stringify({ scope: "alerts", name, label: name }))
      good += Number(target !== undefined) + Number(token !== undefined)
    }
    return `${good} were taken`
  })

  const visitor = await stage.visit(site.base, site.token)
  const [signal = 0] = taken.signals.keys()
  const [strategy = 0] = taken.strategies.keys()
  for (const place of places(signal, strategy))
    await steps.check(`no hostile text runs on #/${place.address.replace(/\d+/, "N")}`, async () => {
      await at(visitor, place)
      await visitor.page.mouse.move(400, 300)
      await visitor.page.keyboard.press("Tab")
      await visitor.page.waitForTimeout(50)
      must((await visitor.page.evaluate("window.__xss")) === undefined, "something ran")
      const planted = await visitor.page.evaluate(
        "document.querySelectorAll('main script, main iframe, main base, main meta, main style, main img[src=x], main a[href^=\"javascript:\" i]').length"
      )
      must(planted === 0, `${planted} elements came from texts`)
    })
  for (const [place, names] of [
    ["signals", taken.signals],
    ["strategies", taken.strategies]
  ] as const)
    await steps.check(`${place} are listed by their names as they are`, async () => {
      await at(visitor, { address: place, heading: /./ })
      const text = String(await visitor.page.evaluate("document.querySelector('main').textContent"))
      const missing = [...names.values()].filter((name) => !text.includes(name.trim()))
      must(missing.length === 0, `not shown: ${missing.slice(0, 5).join(" ")}`)
      return `${names.size} names`
    })
  for (const [id, name] of [...taken.strategies].slice(0, 12))
    await steps.check(`strategy ${id} has its name as it is`, async () => {
      await at(visitor, { address: `strategies/${id}`, heading: /./ })
      const heading = await visitor.page.getByRole("heading", { level: 1 }).textContent()
      must(heading?.includes(name.trim()) === true, `${heading} instead of ${name}`)
    })
}
export default suite

/** The created record; undefined if it was refused. */
const post = async (
  site: Site,
  path: string,
  body: URLSearchParams | string
): Promise<Record<string, unknown> | undefined> => {
  const json = typeof body === "string" ? { "content-type": "application/json" } : {}
  const headers = { ...site.owner.headers, ...json }
  const answer = await site.served.fetch(path, { method: "POST", headers, body })
  const made: Record<string, unknown> = JSON.parse(await answer.text())
  return answer.ok ? made : undefined
}
