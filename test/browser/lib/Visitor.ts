// A user in a browser of its own. Any error on the page or unexpected response fails the step.
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core"

/** How long a page may take to react (ms). */
const PATIENCE_MS = 10_000
const SESSION = "/v1/dashboard/session"

/** An expected error of the server. */
interface Allowed {
  readonly status: number
  readonly path: RegExp
}

/** A user with a browser of its own: its cookies, its pages, and its errors. */
export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  readonly base: string
  readonly #flaws: Array<string> = []
  readonly #allowed: Array<Allowed> = []
  #isAway = false
  #isMuted = false

  private constructor(context: BrowserContext, page: Page, base: string) {
    this.context = context
    this.page = page
    this.base = base
  }

  static async open(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    context.setDefaultTimeout(PATIENCE_MS)
    await context.addInitScript(
      "addEventListener('securitypolicyviolation', (it) =>" +
        " console.error('policy: ' + it.violatedDirective + ' ' + it.blockedURI + ' ' + it.sample))"
    )
    const visitor = new Visitor(context, await context.newPage(), base)
    visitor.#watch()
    return visitor
  }

  /** Expects answers of this status at such paths. */
  allow(status: number, path: RegExp): void {
    this.#allowed.push({ status, path })
  }

  /** Counts such answers as errors again. */
  allowNothing(): void {
    this.#allowed.length = 0
  }

  /** Permits failed connections until `back`, while the server restarts. */
  away(): void {
    this.#isAway = true
  }

  back(): void {
    this.#isAway = false
  }

  /** Ignores errors until `hear`. */
  mute(): void {
    this.#isMuted = true
  }

  hear(): void {
    this.#flaws.length = 0
    this.#isMuted = false
  }

  /** The browser's errors since the last reading. */
  flaws(): ReadonlyArray<string> {
    const all = this.#flaws.splice(0)
    return this.#isMuted ? [] : all
  }

  /** Opens a page of the dashboard: `""` for the overview, `signals`, `strategies/1`. */
  async go(page = ""): Promise<void> {
    const address = `${this.base}/#/${page}`
    // Changing only the fragment does not reload the page, as a click on a link.
    await this.page.goto(address)
  }

  /** Signs in without the form. */
  async signIn(token: string): Promise<void> {
    const answer = await this.context.request.post(this.base + SESSION, {
      data: { token },
      headers: { origin: this.base }
    })
    if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}: ${await answer.text()}`)
  }

  close(): Promise<void> {
    return this.context.close()
  }

  #watch(): void {
    const own = new URL(this.base).host
    this.context.on("request", (request) => {
      const { host, protocol } = new URL(request.url())
      if (protocol.startsWith("http") && host !== own)
        this.#flaws.push(`another host was asked: ${request.url()}`)
    })
    this.context.on("response", (response) => {
      const { pathname } = new URL(response.url())
      const status = response.status()
      if (status >= 400 && !this.#isAllowed(status, pathname))
        this.#flaws.push(`${response.request().method()} ${pathname} was answered ${status}`)
    })
    this.context.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "unknown"
      // A page cancels requests that it no longer needs.
      if (why !== "net::ERR_ABORTED" && !this.#isAway)
        this.#flaws.push(`${request.method()} ${request.url()} failed: ${why}`)
    })
    this.context.on("console", (message) => this.#hear(message))
    this.context.on("weberror", (error) => this.#flaws.push(`an error of the page: ${error.error()}`))
    this.context.on("dialog", (dialog) => {
      this.#flaws.push(`a dialog of the browser: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  #hear(message: ConsoleMessage): void {
    const type = message.type()
    if (type !== "error" && type !== "warning") return
    const { url } = message.location()
    const status = Number(/responded with a status of (\d+)/.exec(message.text())?.[1])
    // The browser repeats each refused answer in its console.
    if (status > 0 && this.#isAllowed(status, URL.canParse(url) ? new URL(url).pathname : "")) return
    if (this.#isAway && message.text().includes("net::ERR_")) return
    this.#flaws.push(`${type} in the console: ${message.text()} (${url})`)
  }

  #isAllowed(status: number, path: string): boolean {
    return this.#allowed.some((it) => it.status === status && it.path.test(path))
  }
}
