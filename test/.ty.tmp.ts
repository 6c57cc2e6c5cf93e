import * as Edge from "../src/http/Edge.ts"
import type { Effect, Layer } from "effect"
const a: Layer.Layer.Context<typeof Edge.contract> = 1
const c: Effect.Effect.Context<ReturnType<typeof Edge.make>> = Symbol()
