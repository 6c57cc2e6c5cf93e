// The link that signs in once: the first account, the second tab, the robot that comes first, and what is left behind.
import { join } from "node:path"
import { command } from "../reliability/Program.ts"
import { must } from "../reliability/prices/until.ts"
import type { Suite } from "./lib/Stage.ts"

const suite: Suite = async (stage) => {
  const db = join(stage.folder, "open.db")
  const served = await stage.start(db, ["--prices", "none"])
  const base = served.url("")
  const { steps } = stage
  const link = async () => {
    const at = ["--db", db, "--port", new URL(base).port]
    const { exitCode, stderr, stdout } = await command(["open", "--print", ...at])
    must(exitCode === 0, stderr)
    return stdout.trim()
  }
  const visitor = await stage.visit(base)
  const { page } = visitor
  const overview = page.getByRole("heading", { level: 1, name: "Overview" })

  await steps.take("the first visit offers to make the account, and asks for the code", async () => {
    await visitor.go("")
    await page.getByLabel("Code from the terminal").waitFor()
    must((await page.title()).startsWith("Make your account"), await page.title())
  })

  await steps.take("a wrong code is refused with a reason, and makes nothing", async () => {
    visitor.allow(401, /\/session$/)
    await page.getByLabel("Code from the terminal").fill("00000-00000-00000-00000")
    await page.getByRole("button", { name: "Make the account" }).click()
    await page.getByText(/does not count/).waitFor()
    visitor.allowNothing()
  })

  const first = await link()
  await steps.take("a robot that fetches the link does not use it up", async () => {
    for (const method of ["HEAD", "GET", "GET"]) {
      const answer = await fetch(first, { method })
      must(answer.status === 200, `the robot was answered ${answer.status}`)
    }
  })

  await steps.take("with the link, one press makes the account and shows the overview", async () => {
    await page.goto("about:blank")
    await page.goto(first)
    await page.getByRole("button", { name: "Make the account" }).click()
    await overview.waitFor()
    must((await page.locator(".account").textContent()) === "me", "the account is another")
  })

  await steps.check("the code is in no address, history, storage or log", async () => {
    const code = first.split("code=")[1] ?? "?"
    must(page.url() === `${base}/#/`, page.url())
    await page.goBack()
    must(!page.url().includes(code), "the history has the code")
    await page.goForward()
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])"
    )
    must(!String(kept).includes(code), "the page keeps the code")
  })

  await steps.take("another browser is signed in by the next link, without a question", async () => {
    const other = await stage.visit(base)
    const next = await link()
    await other.page.goto(next)
    await other.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    // The same link in a second tab of a browser that is signed in leads to the dashboard, too.
    other.allow(401, /\/session$/)
    const tab = await other.context.newPage()
    await tab.goto(next)
    await tab.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    // In a browser that is not signed in it is told that it was used.
    const third = await stage.visit(base)
    third.allow(401, /\/session$/)
    await third.page.goto(next)
    await third.page.getByText(/does not sign in/).waitFor()
    // A code can be typed as well, and a link opened in a page that is open already.
    const typed = (await link()).split("code=")[1] ?? ""
    await third.page.getByLabel("Token").fill(typed.toLowerCase())
    await third.page.getByRole("button", { name: "Sign in" }).click()
    await third.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await third.page.getByRole("button", { name: "Sign out" }).click()
    await third.page.getByLabel("Token").waitFor()
    const last = await link()
    await third.page.evaluate(`location.hash = ${JSON.stringify(new URL(last).hash)}`)
    await third.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
  })
}
export default suite
