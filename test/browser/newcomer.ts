// A newcomer with a terminal and a browser in an empty folder: from the README's first command to a closed trade with its
// reason, in under three minutes. Every command that is run stood before the newcomer's eyes: in the README, in output,
// or on a page that was open. The exchange is a stand-in, whose price moves as it is told.
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import { Market } from "../reliability/first/Market.ts"
import { PROGRAM } from "../reliability/Program.ts"
import { must, until } from "../reliability/prices/until.ts"
import { copied } from "./lib/copied.ts"
import type { Suite } from "./lib/Stage.ts"
import { inWords } from "./lib/Steps.ts"

const README = readFileSync(resolve(import.meta.dir, "../../README.md"), "utf8")
const ALLOWED_MS = 180_000
/** The longest wait for what comes by itself. */
const PATIENCE_MS = 20_000

const suite: Suite = async (stage) => {
  const { steps } = stage
  const market = await Market.open()
  const desk = new Desk(stage.folder, market.stub.url)
  try {
    const began = performance.now()

    await steps.take(
      "the README's command starts the server, which prints a link in its own colours",
      async () => {
        desk.serve("signalbox serve")
        await until("link", () => desk.link !== "", PATIENCE_MS)
        must(!desk.screen.includes("\u001b[31m"), `something is red: ${JSON.stringify(desk.screen)}`)
      }
    )

    const visitor = await stage.visit(new URL(desk.link).origin, undefined, {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    const { page } = visitor
    const look = async () => desk.see(String(await page.evaluate("document.body.innerText")))
    const heading = async (name: string | RegExp) => {
      await page.getByRole("heading", { level: 1, name }).waitFor()
      await look()
    }

    await steps.take("the link makes the account, and the overview says what to do", async () => {
      await page.goto(desk.link)
      await page.getByRole("button", { name: "Make the account" }).click()
      await heading("Overview")
      await page.getByRole("heading", { name: "First steps" }).waitFor()
    })

    await steps.take("the first step makes a signal", async () => {
      await page.getByRole("link", { name: "Create a signal" }).click()
      await heading("New signal")
      await page.getByLabel("Name").fill("My signal")
      await page.getByRole("button", { name: "Create signal" }).click()
      await heading("My signal")
    })

    await steps.take("the signal's page leads to a strategy that follows it", async () => {
      await page.getByRole("link", { name: "create one" }).click()
      await heading("New strategy")
      await page.locator('[name="name"]').fill("First steps")
      await page.getByLabel(/^Find pairs on /).fill("BTC")
      await page.getByRole("button", { name: "BTC/USDT", exact: true }).click()
      await page.getByRole("button", { name: "Create strategy" }).click()
      await heading("First steps")
      await page.getByText("Nothing is open now").waitFor()
    })

    await steps.take("the signal's page has a command that buys, and it works as it is copied", async () => {
      await page.getByRole("link", { name: "My signal" }).first().click()
      await heading("My signal")
      await page.getByRole("button", { name: "Make a webhook address" }).click()
      const command = await copied(page, /^Command that sends a buy/)
      await look()
      // The strategy's first price may be on its way; whoever pastes by hand gives it a moment, too.
      const answer = await desk.run(command)
      must(/"type":\s*"success"|success/.test(answer), answer)
    })

    await steps.take("the strategy's page shows the position, without a click", async () => {
      await page.getByRole("link", { name: "First steps" }).first().click()
      await heading("First steps")
      const positions = page.getByRole("table", { name: "Open positions" })
      await positions.getByText("BTC/USDT").first().waitFor({ timeout: PATIENCE_MS })
      return (await positions.getByRole("row").nth(1).textContent())?.trim().slice(0, 80)
    })

    await steps.take(
      "the price rises, and the closed trade is among the trades with its reason",
      async () => {
        market.move({ bid: 63_000, ask: 63_010, last: 63_005 })
        await page.getByText("Nothing is open now").waitFor({ timeout: PATIENCE_MS })
        await page.getByRole("link", { name: "Trades", exact: true }).click()
        await heading("Trades")
        const row = page.locator("table tbody tr").first()
        await row.getByText("Take profit").waitFor()
        return (await row.textContent())?.trim().slice(0, 110)
      }
    )

    await steps.take("the guide's command tells the same in the terminal", async () => {
      await page.getByRole("link", { name: "Guide" }).first().click()
      await heading(/./)
      await page.getByRole("link", { name: "First steps", exact: true }).first().click()
      await heading("First steps")
      const told = await desk.run("signalbox explain 1")
      must(/take profit|profit/i.test(told) && told.includes("BTC/USDT"), told)
    })

    await steps.check("it took less than three minutes", async () => {
      const took = performance.now() - began
      must(took < ALLOWED_MS, inWords(took))
      return `${inWords(took)}, with ${desk.commands} commands`
    })
  } finally {
    await desk.close()
    await market.close()
  }
}
export default suite

/** An empty folder with the program on the PATH, and everything that its user has seen. */
class Desk {
  /** What the server's terminal shows. */
  screen = ""
  commands = 0
  readonly #env: Readonly<Record<string, string>>
  readonly #home: string
  readonly #port: number
  #seen: string
  #server: Bun.Subprocess | undefined

  constructor(folder: string, exchange: string) {
    const bin = join(folder, "bin")
    this.#home = join(folder, "home")
    for (const path of [bin, this.#home]) mkdirSync(path)
    symlinkSync(PROGRAM, join(bin, "signalbox"))
    this.#port = freePort()
    this.#seen = README
    this.#env = {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: this.#home,
      TERM: "xterm-256color",
      // What a machine with a network has without them.
      SIGNALBOX_PORT: String(this.#port),
      SIGNALBOX_EXCHANGE_URLS: `binance=${exchange}`
    }
  }

  /** The link that signs in; empty until it is shown. */
  get link(): string {
    return /http\S+code=[-\w]+(?=\s)/.exec(this.screen)?.[0] ?? ""
  }

  /** Remembers a text that was shown. */
  see(text: string): void {
    this.#seen += `\n${text}`
  }

  /** Starts the server in a terminal of its own. */
  serve(command: string): void {
    this.#known(command)
    const decoder = new TextDecoder()
    this.#server = Bun.spawn(["bash", "-c", `exec ${command}`], {
      cwd: this.#home,
      env: this.#env,
      terminal: {
        cols: 120,
        rows: 40,
        data: (_, bytes) => {
          const text = decoder.decode(bytes, { stream: true })
          this.screen += text
          this.see(text)
        }
      }
    })
  }

  /** Runs a command in another terminal; returns what it prints, all of which is seen. */
  async run(command: string): Promise<string> {
    this.#known(command)
    const child = Bun.spawn(["bash", "-c", command], {
      cwd: this.#home,
      env: this.#env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: PATIENCE_MS
    })
    const [code, out, err] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text()
    ])
    must(code === 0, `${command} ended with ${code}: ${err}`)
    this.see(out)
    return out
  }

  async close(): Promise<void> {
    this.#server?.kill("SIGTERM")
    await this.#server?.exited
  }

  /** Nobody can run a command that was shown nowhere. */
  #known(command: string): void {
    const plain = (text: string) => text.replace(/\s+/g, " ")
    must(plain(this.#seen).includes(plain(command)), `this was shown nowhere: ${command}`)
    this.commands++
  }
}

const freePort = (): number => {
  const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") })
  const { port } = taken
  void taken.stop(true)
  return port ?? 0
}
