// Accounts that reach for other accounts' records, which must not exist for them.
import { Effect, Either, Exit } from "effect"
import { instruction } from "../../src/domain/Alert.ts"
import { SignalId } from "../../src/domain/Signal.ts"
import { Alerts } from "../../src/services/Alerts.ts"
import { Strategies } from "../../src/services/Strategies.ts"
import type { SeededRandom } from "../../src/testing/SeededRandom.ts"
import { type People, receive } from "./People.ts"
import { failureOf } from "./Server.ts"
import type { World } from "./World.ts"

export class Trespassers {
  readonly #world: World
  readonly #people: People

  constructor(world: World, people: People) {
    this.#world = world
    this.#people = people
  }

  begin(): void {
    this.#world.every("trespasser", 3_000, 15_000, (dice) => this.#trespass(dice))
  }

  #trespass(dice: SeededRandom): void {
    const { people } = this.#world
    const { keyed, signals, strategies } = this.#people
    const owned = strategies[dice.whole(0, strategies.length - 1)]
    const alert = keyed[dice.whole(0, keyed.length - 1)]?.answered
    if (owned === undefined) return
    const other = owned.owner === people[0] ? people[1] : people[0]
    const { account } = other
    const refused = (what: string, exit: Exit.Exit<unknown, unknown>) => {
      const tag = failureOf(exit)
      if (Exit.isSuccess(exit))
        this.#world.fail("I8", `account ${account} could ${what} of account ${owned.owner.account}`)
      return tag
    }
    const kind = dice.whole(0, 3)
    if (kind === 0)
      this.#world.call(
        Effect.flatMap(Strategies, (it) => it.get(account, owned.id)),
        (exit) => refused("read a strategy", exit)
      )
    if (kind === 1)
      this.#world.call(
        Effect.flatMap(Strategies, (it) => it.update(account, owned.id, { active: false })),
        (exit) => refused("change a strategy", exit)
      )
    if (kind === 2 && alert !== undefined) this.#readForeign(alert)
    if (kind === 3) {
      const bobs = signals.find(({ isPublic }) => !isPublic)
      if (bobs === undefined) return
      const told = instruction({
        signalId: SignalId.make(bobs.id),
        coin: "BTC",
        quoteCurrency: "USDT",
        type: "buy"
      })
      this.#world.call(receive(people[0], told), (exit) => {
        if (Exit.isSuccess(exit)) this.#world.fail("I8", "an alert to a signal of another account was taken")
      })
    }
  }

  #readForeign(alert: number): void {
    const [ann, bob] = this.#world.people
    this.#world.call(
      Effect.flatMap(Alerts, (alerts) =>
        Effect.all([
          Effect.either(alerts.get(ann.account, alert)),
          Effect.either(alerts.get(bob.account, alert))
        ])
      ),
      (exit) => {
        if (Exit.isFailure(exit)) return
        if (exit.value.filter(Either.isRight).length > 1)
          this.#world.fail("I8", `alert ${alert} can be read by both accounts`)
      }
    )
  }
}
