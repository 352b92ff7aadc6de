// Prints the help of all commands as JSON.
import { commandPages } from "../../scripts/package/CommandTree.ts"

const page = await commandPages()
process.stdout.write(JSON.stringify(page))
