import { suite } from "../../src/testing/contracts/Idempotency.ts"
import { promised } from "./ports.ts"

promised(suite)
