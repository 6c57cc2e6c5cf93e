// Reports are files that are opened from disk without a network: opens one, and checks it on each size in both colours.
import { pathToFileURL } from "node:url"
import type { Page } from "playwright-core"
import { must } from "../../reliability/prices/until.ts"
import { inPage } from "./inPage.ts"
import type { Stage } from "./Stage.ts"
import { sound } from "./sound.ts"

export const DESKTOP = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

type Options = Parameters<Stage["visit"]>[2]

/** Opens a report in a browser without a network; `drawn` waits until it is complete. */
export const opened =
  (stage: Stage, file: string, drawn: (page: Page) => Promise<void>) =>
  async (options: Options): Promise<Page> => {
    const { page } = await stage.visit("http://nowhere.invalid", undefined, { ...options, offline: true })
    const requests: Array<string> = []
    page.on("request", (request) => requests.push(request.url()))
    await page.goto(pathToFileURL(file).href)
    await drawn(page)
    must(requests.length === 1, `it requested ${requests.join(", ")}`)
    return page
  }

/** The steps that open it on a desktop and a telephone, light and dark. */
export const onEachSize = async (
  { steps }: Stage,
  open: (options: Options) => Promise<Page>
): Promise<void> => {
  for (const [size, options] of [
    ["a desktop", DESKTOP],
    ["a telephone", PHONE]
  ] as const)
    for (const colorScheme of ["light", "dark"] as const)
      await steps.check(`it opens from disk on ${size}, ${colorScheme}, and requests nothing`, async () => {
        const page = await open({ ...options, colorScheme })
        const flaws = [
          ...(await inPage(page, "width")),
          ...(options === PHONE ? await inPage(page, "targets") : [])
        ]
        must(flaws.length === 0, flaws.join("\n"))
        await sound(page)
      })
}
