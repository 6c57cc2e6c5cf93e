// Planted bugs in who has to act on an alert: exactly the strategies that followed its signal when it was answered.
import { Effect } from "effect"
import { type Following, StrategyStore } from "../../src/services/StrategyStore.ts"
import { type Bugs, within } from "./mutant.ts"

const followings = (change: (all: ReadonlyArray<Following>) => ReadonlyArray<Following>) =>
  within(StrategyStore, (sound) => ({
    ...sound,
    followings: (signals, some) =>
      Effect.map(
        sound.followings(signals, some),
        (found) => new Map(Array.from(found, ([signal, all]) => [signal, change(all)]))
      )
  }))

export const bugs: Bugs = {
  "an alert kept from who followed and does no longer": followings((all) =>
    all.filter(({ until }) => until === undefined)
  ),
  "an alert given to who follows since": followings((all) => all.map((one) => ({ ...one, from: 0 })))
}
