import { suite } from "../../src/testing/contracts/Mandates.ts"
import { promised } from "./ports.ts"

promised(suite)
