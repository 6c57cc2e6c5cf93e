import { Effect, Layer } from "effect"
import { RealTime } from "../../src/services/internal/RealTime.ts"
import { suite } from "../../src/testing/contracts/notify/Chats.ts"
import { promised, subjects } from "./ports.ts"

// The ten minutes are people's, in real time, and here that is the test's.
const inTestTime = Layer.effect(RealTime, Effect.clock)

promised(
  suite,
  subjects.map(([name, subject]) => [name, Layer.merge(subject, inTestTime)])
)
