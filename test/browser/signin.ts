// Signing in, staying signed in, and signing out.
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import type { Site, Suite } from "./lib/Stage.ts"
import type { Visitor } from "./lib/Visitor.ts"

const suite: Suite = async (stage) => {
  const site = await stage.serve()
  const { steps } = stage
  const visitor = await stage.visit(site.base)
  const { page } = visitor

  await steps.take("every address asks for a token first, without errors in the console", async () => {
    await visitor.go("strategies")
    await form(visitor).waitFor()
    const focused = await page.evaluate("document.activeElement?.getAttribute('name')")
    must(focused === "token", `the focus is at ${focused}`)
    must((await page.title()).startsWith("Sign in"), await page.title())
  })

  await steps.take("a wrong token is refused with a reason", async () => {
    visitor.allow(401, /\/session$/)
    await enter(visitor, "sb_wrong")
    const said = page.getByText(/does not know this token|not valid|unknown/i)
    await said.waitFor()
    must((await page.getByLabel("Token").getAttribute("aria-invalid")) === "true", "the field is not marked")
    must((await visitor.context.cookies()).length === 0, "there is a cookie")
    return (await said.textContent()) ?? ""
  })

  await steps.take("a token for alerts is refused with a reason", async () => {
    visitor.allow(403, /\/session$/)
    const alerts = await made(site, "alerts")
    await enter(visitor, alerts.token)
    const said = page
      .getByText(/full/)
      .filter({ hasText: /scope|alerts/ })
      .first()
    await said.waitFor()
    must((await visitor.context.cookies()).length === 0, "there is a cookie")
    return (await said.textContent()) ?? ""
  })

  await steps.take("the right token leads to the requested page", async () => {
    visitor.allowNothing()
    await enter(visitor, ` ${site.token} `)
    await page.getByRole("heading", { level: 1, name: "Strategies" }).waitFor()
  })

  await steps.check("the cookie is hidden from scripts, and nothing else is stored", async () => {
    const [cookie, ...more] = await visitor.context.cookies()
    must(cookie !== undefined && more.length === 0, `${1 + more.length} cookies`)
    must(cookie?.httpOnly === true && cookie.sameSite === "Strict", JSON.stringify(cookie))
    must(cookie?.path === "/" && !cookie.value.includes(site.token), "the cookie holds the token")
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"
    )
    must(!String(kept).includes(site.token), "the page keeps the token")
    must((await page.evaluate("document.cookie")) === "", "scripts see the cookie")
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
    return cookie?.expires === -1 ? "gone with the browser" : `kept for ${days.toFixed(1)} days`
  })

  await steps.check("a reload and another tab stay signed in", async () => {
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Strategies" }).waitFor()
    const tab = await visitor.context.newPage()
    await tab.goto(`${site.base}/#/signals`)
    await tab.getByRole("heading", { level: 1, name: "Signals" }).waitFor()
    await tab.close()
  })

  await steps.take("signing out ends the session on the server too", async () => {
    const [cookie] = await visitor.context.cookies()
    await page.getByRole("button", { name: "Sign out" }).click()
    await form(visitor).waitFor()
    must((await visitor.context.cookies()).length === 0, "the cookie is still there")
    const headers = { cookie: `${cookie?.name}=${cookie?.value}` }
    const answer = await fetch(`${site.base}/v1/signals`, { headers })
    must(answer.status === 401, `the old cookie is answered ${answer.status}`)
    await page.reload()
    await form(visitor).waitFor()
  })

  await steps.take("an ended session is forgotten without an error", async () => {
    const value = "A".repeat(43)
    await visitor.context.addCookies([{ name: "signalbox_session", value, url: site.base }])
    await page.reload()
    await form(visitor).waitFor()
    must((await visitor.context.cookies()).length === 0, "the cookie is still there")
  })

  await steps.take("a token revoked by command signs its owner out with a reason", async () => {
    const short = await made(site, "full")
    await visitor.go("signals")
    await enter(visitor, short.token)
    await page.getByRole("heading", { level: 1, name: "Signals" }).waitFor()
    visitor.allow(401, /^\/v1\//)
    const revoked = await command(["token", "revoke", String(short.id), "--db", site.db])
    must(revoked.exitCode === 0, revoked.stderr)
    await page.getByRole("link", { name: "Strategies" }).click()
    await page.getByText(/session has ended/i).waitFor()
    await enter(visitor, site.token)
    await page.getByRole("heading", { level: 1, name: "Strategies" }).waitFor()
  })

  await steps.take("a session that ends in the middle of a form keeps what was typed", async () => {
    await visitor.go("strategies/new")
    const name = page.locator('input[name="name"]')
    await name.fill("Typed with care")
    await visitor.context.clearCookies()
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(/session has ended/i).waitFor()
    for (let pressed = 0; pressed < 2; pressed++) await page.keyboard.press("Escape")
    must(!(await name.isVisible()), "the page can be read while nobody is signed in")
    await page.locator('input[name="token"]').fill(site.token)
    await page.keyboard.press("Enter")
    await name.waitFor()
    must((await name.inputValue()) === "Typed with care", `the name is "${await name.inputValue()}"`)
    must((await page.title()).startsWith("New strategy"), await page.title())
    must(await name.evaluate("document.activeElement.name === 'name'"), "the focus is elsewhere")
    await page.getByRole("button", { name: "Sign out" }).click()
    await form(visitor).waitFor()
    must((await page.locator(".layout").count()) === 0, "who signed out left a page behind")
  })
}
export default suite

const form = ({ page }: Visitor) => page.getByLabel("Token")

const enter = async ({ page }: Visitor, token: string): Promise<void> => {
  await page.getByLabel("Token").fill(token)
  await page.getByRole("button", { name: "Sign in" }).click()
}

const made = async (
  { db }: Site,
  scope: string
): Promise<{ readonly id: number; readonly token: string }> => {
  const args = ["token", "create", "--account", "ann", "--scope", scope, "--json", "--db", db]
  return JSON.parse((await command(args)).stdout)
}
