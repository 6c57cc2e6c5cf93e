import { suite } from "../../src/testing/contracts/directory/Copies.ts"
import { promised } from "./ports.ts"

promised(suite)
