import { suite } from "../../src/testing/contracts/Markets.ts"
import { promised } from "./ports.ts"

promised(suite)
