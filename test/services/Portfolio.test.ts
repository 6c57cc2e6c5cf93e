import { suite } from "../../src/testing/contracts/Portfolio.ts"
import { promised } from "./ports.ts"

promised(suite)
