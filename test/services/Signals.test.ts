import { suite } from "../../src/testing/contracts/Signals.ts"
import { promised } from "./ports.ts"

promised(suite)
