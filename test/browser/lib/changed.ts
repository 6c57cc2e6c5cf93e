// Changes the server's responses on their way to the page, to show states that are hard to reach.
import type { Page } from "playwright-core"

type Json = Record<string, unknown>

/** Changes a server's answer on its way to the page, for states that take long to reach. The last change counts. */
export const changed = (
  page: Page,
  address: RegExp,
  change: (answer: Json, method: string) => Json
): Promise<unknown> =>
  page.route(address, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const answer: Json = text.startsWith("{") ? JSON.parse(text) : {}
    const json = change(answer, route.request().method())
    await route.fulfill({ status: 200, contentType: "application/json", body: JSON.stringify(json) })
  })

/** Changes the first item of a list within an answer. */
export const first = (answer: Json, field: string, change: (row: Json) => Json): Json => {
  const rows = answer[field]
  if (!Array.isArray(rows)) return answer
  return { ...answer, [field]: rows.map((row, index) => (index === 0 && isJson(row) ? change(row) : row)) }
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null
