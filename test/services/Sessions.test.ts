import { Effect, Layer } from "effect"
import { RealTime } from "../../src/services/internal/RealTime.ts"
import { suite } from "../../src/testing/contracts/Sessions.ts"
import { promised, subjects } from "./ports.ts"

// People live in real time, and here that is the test's.
const inTestTime = Layer.effect(RealTime, Effect.clock)

promised(
  suite,
  subjects.map(([name, subject]) => [name, Layer.merge(subject, inTestTime)])
)
