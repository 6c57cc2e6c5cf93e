import { suite } from "../../src/testing/contracts/Events.ts"
import { promised } from "./ports.ts"

promised(suite)
