import { suite } from "../../src/testing/contracts/Timeline.ts"
import { promised } from "./ports.ts"

promised(suite)
