import { Effect, Layer } from "effect"
import { RealTime } from "../../src/sqlite/RealTime.ts"
import { subjects } from "./ports.ts"
import { contract } from "./Sessions.contract.ts"

// People live in real time, and here that is the test's.
const inTestTime = Layer.effect(RealTime, Effect.clock)

for (const [name, subject] of subjects) contract(name, Layer.merge(subject, inTestTime))
