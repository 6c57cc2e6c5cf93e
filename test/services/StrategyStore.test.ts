import { subjects } from "./ports.ts"
import { contract } from "./StrategyStore.contract.ts"

for (const [name, subject] of subjects) contract(name, subject)
