// Every page on a telephone, in light and dark: nothing scrolls sideways, and no control is too small.
import { must } from "../reliability/prices/until.ts"
import { furnished } from "./lib/furnished.ts"
import { inPage } from "./lib/inPage.ts"
import { at, places } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound } from "./lib/sound.ts"

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

const suite: Suite = async (stage) => {
  const { steps } = stage
  const site = await furnished(stage)
  const stranger = await stage.visit(site.base, undefined, PHONE)
  await steps.check("signing in fits a telephone", async () => {
    await stranger.go()
    await stranger.page.getByLabel("Token").waitFor()
    const flaws = [...(await inPage(stranger.page, "width")), ...(await inPage(stranger.page, "targets"))]
    must(flaws.length === 0, flaws.join("\n"))
  })
  for (const colorScheme of ["light", "dark"] as const) {
    const visitor = await stage.visit(site.base, site.token, { ...PHONE, colorScheme })
    for (const place of places(site.signal, site.strategy))
      await steps.check(`the page fits a telephone, ${colorScheme}: #/${place.address}`, async () => {
        await at(visitor, place)
        const flaws = [...(await inPage(visitor.page, "width")), ...(await inPage(visitor.page, "targets"))]
        must(flaws.length === 0, flaws.join("\n"))
        await sound(visitor.page)
      })
  }
}
export default suite
