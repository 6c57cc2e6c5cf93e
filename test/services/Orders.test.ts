import { suite } from "../../src/testing/contracts/Orders.ts"
import { promised } from "./ports.ts"

promised(suite)
