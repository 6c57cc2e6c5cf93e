// Every state of real money, made by changed answers: the page shows each one accessibly.
import { must } from "../reliability/prices/until.ts"
import { changed, first } from "./lib/changed.ts"
import { furnished } from "./lib/furnished.ts"
import { inPage } from "./lib/inPage.ts"
import { at } from "./lib/places.ts"
import type { Suite } from "./lib/Stage.ts"
import { sound, walked } from "./lib/sound.ts"
import type { Visitor } from "./lib/Visitor.ts"

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
/** Hostile texts that an exchange or a person might send. */
const EVIL = `<img src=x onerror="window.__xss=1"><script>window.__xss=1</script>`
const NOW = 1_766_000_000

const ACCOUNTS = [
  { id: 1, name: "main", exchange: "bybit", sandbox: false, problem: null, strategies: [1] },
  { id: 2, name: `play${EVIL}`, exchange: "bybit", sandbox: true, problem: EVIL, strategies: [] }
].map((it) => ({ ...it, created_at: NOW, checked_at: NOW }))

const ARMED = {
  ...{ account: 1, account_name: "main", exchange: "bybit", sandbox: false, capital: 500, max_order: 120 },
  ...{ max_daily_loss: 25, protective_stop: true, armed_at: NOW, lost_today: 25.3, stopped_today: true }
}
const ORDER = {
  ...{ id: "1-1-0", exchange: "bybit", pair: "BTC/USDT", kind: "spot", side: "buy", type: "market" },
  ...{ purpose: "entry", live: true, client_id: "9f86d081884c7d659a2feaa0c55ad015", quantity: 0.002 },
  ...{ price: 61_240.5, filled: 0.001, at: NOW }
}
const FILL = {
  id: EVIL,
  at: NOW,
  quantity: 0.001,
  price: 61_240.5,
  fee: 0.06,
  fee_asset: "BNB",
  fee_amount: 1
}
const STATUSES = ["unknown", "intended", "accepted", "partly_filled", "filled", "rejected", "cancelled"]

/** Changes the answers so that the strategy appears as armed. */
const armed = async ({ page }: Visitor, mode: "live" | "leaving", markets: ReadonlyArray<string>) => {
  const trading = { mode, account: 1, stopped_today: true, astray: markets.length }
  const stop = { price: 60_000, quantity: 0.002, is_ending: false }
  await changed(page, /\/exchange-accounts$/, () => ({ data: ACCOUNTS }))
  await changed(page, /\/dashboard\/strategies\/\d+$/, (board) => ({
    ...first(board, "positions", (it) => ({ ...it, account: 1, stop, is_astray: markets.length > 0 })),
    trading,
    period: 2
  }))
  await changed(page, /\/dashboard\/strategies\?/, (list) =>
    first(list, "data", (it) => ({ ...it, trading }))
  )
  await changed(page, /\/dashboard\/overview$/, (glance) =>
    first(glance, "positions", (it) => ({ ...it, account: 1, stop }))
  )
  await changed(page, /\/arming$/, () => ({ mode, armed: ARMED, astray: markets, confirmation: null }))
  await changed(page, /\/orders\?/, () => ({
    data: STATUSES.map((status, index) => ({
      ...{ ...ORDER, status, sequence: 9 - index },
      fills: index === 0 ? [] : [FILL, { ...FILL, id: "2", fee_asset: "BTC" }]
    }))
  }))
}

const suite: Suite = async (stage) => {
  const { steps } = stage
  const site = await furnished(stage)
  const address = `strategies/${site.strategy}`
  const desk = await stage.visit(site.base, site.token)
  const phone = await stage.visit(site.base, site.token, { ...PHONE, colorScheme: "dark" })

  /** Checks a page in light and dark and on a telephone, and that no text of it runs. */
  const everywhere = async (
    place: string,
    prepare: (visitor: Visitor) => Promise<void>,
    isWalked = false
  ) => {
    for (const visitor of [desk, phone]) {
      const { page } = visitor
      await at(visitor, { address: "", heading: "Overview" })
      await at(visitor, { address: place, heading: /./ })
      await prepare(visitor)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        await sound(page)
      }
      if (visitor === phone) {
        const flaws = [...(await inPage(page, "width")), ...(await inPage(page, "targets"))]
        must(flaws.length === 0, flaws.join("\n"))
      } else if (isWalked) await walked(page)
      must((await page.evaluate("window.__xss")) === undefined, "something ran")
    }
  }

  await steps.check("without an account the page says how to connect one", async () => {
    for (const { page } of [desk, phone]) await changed(page, /\/exchange-accounts$/, () => ({ data: [] }))
    await everywhere(address, async ({ page }) => {
      await page.getByRole("button", { name: /^Trade with real money/ }).click()
      await page.getByText("signalbox account connect bybit", { exact: true }).waitFor()
    })
    await everywhere("settings/accounts", async ({ page }) => {
      await page.getByText("No account is connected yet").waitFor()
    })
  })

  await steps.check("accounts are listed with their problems", async () => {
    for (const { page } of [desk, phone])
      await changed(page, /\/exchange-accounts$/, () => ({ data: ACCOUNTS }))
    await everywhere("settings/accounts", async ({ page }) => {
      await page.getByText(EVIL).first().waitFor()
      await page.getByText("SANDBOX").first().waitFor()
    })
  })

  await steps.check("missing values are reported beside their fields, and the first one has the focus", () =>
    everywhere(address, async ({ page }) => {
      await page.getByRole("button", { name: /^Trade with real money/ }).click()
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByText("choose the account to trade with").waitFor()
      await page.locator("[name=account]:focus").waitFor()
      must((await page.getByText("is required").count()) === 3, "not all is asked for")
    })
  )

  await steps.check("arming is confirmed only by the strategy's name", async () => {
    for (const { page } of [desk, phone])
      await changed(page, /\/arming$/, () => ({
        ...{ mode: "paper", armed: null, astray: [] },
        confirmation: {
          ...{ token: "t", expires_at: Math.floor(Date.now() / 1000) + 300 },
          ...{ statement: `It trades with real money.\n${EVIL}`, warnings: [EVIL] }
        }
      }))
    await everywhere(
      address,
      async ({ page }) => {
        await page.getByRole("button", { name: /^Trade with real money/ }).click()
        await page.getByLabel("Exchange account").selectOption("1")
        for (const label of ["Capital", "Largest order", "Daily loss limit"])
          await page.getByLabel(label).fill("50")
        await page.getByRole("button", { name: "Continue" }).click()
        await page.locator("h3:focus", { hasText: "Trade with real money?" }).waitFor()
        const button = page.getByRole("button", { name: "Arm with real money" })
        await page.getByLabel("Type the strategy").fill("take profit, cut losses")
        must(await button.isDisabled(), "another name is taken")
        await page.getByLabel("Type the strategy").fill("Take profit, cut losses")
        must(await button.isEnabled(), "its name is not taken")
      },
      true
    )
  })

  await steps.check("an armed strategy shows its terms, its day and its missing coins", async () => {
    for (const visitor of [desk, phone]) await armed(visitor, "live", [`BTC/USDT on bybit ${EVIL}`])
    await everywhere(
      address,
      async ({ page }) => {
        await page.getByText("25.30 USDT of 25.00 USDT").waitFor()
        await page.getByRole("button", { name: "Write off" }).waitFor()
        await page.getByText("Stop at the exchange").waitFor()
        for (const badge of ["LIVE", "stopped today", "not at exchange"])
          await page.getByText(badge, { exact: true }).first().waitFor()
      },
      true
    )
    for (const place of ["strategies", ""])
      await everywhere(place, ({ page }) => page.getByText("LIVE", { exact: true }).first().waitFor())
  })

  await steps.check("orders are listed in every state, with fills and with fees by asset", () =>
    everywhere(`${address}?tab=orders`, async ({ page }) => {
      await page
        .getByRole("button", { name: /, fills$/ })
        .nth(1)
        .click()
      await page.locator("code", { hasText: ORDER.client_id }).waitFor()
      await page.locator(".client-id").last().focus()
      await page.locator(".client-id .whole").last().waitFor()
      await page.getByRole("list", { name: "Fills" }).getByText(EVIL).waitFor()
      for (const words of [
        "unknown",
        "being sent",
        "at the exchange",
        "partly filled",
        "rejected",
        "cancelled"
      ])
        await page.getByText(words, { exact: true }).first().waitFor()
    })
  )

  await steps.check("selling needs a confirmation, and a refusal is shown", async () => {
    for (const visitor of [desk, phone]) {
      const { page } = visitor
      await armed(visitor, "leaving", [])
      await page.route(/\/arming\?close=1$/, (route) =>
        route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          body: JSON.stringify({ code: "busy", message: `not now ${EVIL}`, errors: {} })
        })
      )
      visitor.allow(409, /\/arming$/)
    }
    await everywhere(address, async ({ page }) => {
      await page.getByRole("button", { name: "Close now", exact: true }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Close now" }).click()
      await page.getByRole("dialog").getByRole("alert").getByText("not now").waitFor()
    })
    for (const { page } of [desk, phone]) await page.keyboard.press("Escape")
  })

  for (const [name, halt, resumes] of [
    [
      "a day's loss",
      { everybody: false, cause: "daily_loss", text: `strategy 1 lost too much ${EVIL}` },
      true
    ],
    ["a restore", { everybody: true, cause: "restored", text: "put back from a backup" }, true],
    ["somebody else", { everybody: true, cause: "command", text: "halted by hand" }, false]
  ] as const)
    await steps.check(`a halt is shown on every page: ${name}`, async () => {
      for (const { page } of [desk, phone]) {
        await changed(page, /\/v1\/halt$/, () => ({ halted: true, since: NOW, ...halt }))
        if (!resumes) await changed(page, /\/dashboard\/session$/, (it) => ({ ...it, operator: false }))
        await page.reload()
      }
      for (const place of resumes ? ["", "signals"] : ["settings"])
        await everywhere(place, async ({ page }) => {
          const banner = page.getByRole("region", { name: "Entries are halted" })
          await banner.waitFor()
          if (resumes) await banner.getByRole("button", { name: "Resume" }).click()
          else await banner.getByText(/Only the operator/).waitFor()
          const asks = banner.getByRole("button", { name: "Resume entries" })
          must((await asks.count()) === (resumes ? 1 : 0), "it is asked of the wrong one")
          if (resumes) await banner.getByRole("button", { name: "Stay halted" }).click()
        })
    })
}
export default suite
