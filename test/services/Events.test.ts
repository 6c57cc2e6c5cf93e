import { contract } from "./Events.contract.ts"
import { subjects } from "./ports.ts"

for (const [name, subject] of subjects) contract(name, subject)
