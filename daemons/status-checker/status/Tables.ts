/** Schema of the daemon, for features and for commands that run without the daemon. */
import type { Migrations } from "#core/sql/Migrations.ts"
import { status } from "./migrations/0001_status.ts"
import { ownWords } from "./migrations/0002_own_words.ts"
import { told } from "./migrations/0003_told.ts"
import { languages } from "./migrations/0004_languages.ts"
import { components } from "./migrations/0005_components.ts"
import { responseTimes } from "./migrations/0006_response_times.ts"

/** Later steps belong here too: `signalbox status` runs all steps before it reads a table. */
export const tables: Migrations = {
  schema: "status_checker",
  steps: [status, ownWords, told, languages, components, responseTimes]
}
