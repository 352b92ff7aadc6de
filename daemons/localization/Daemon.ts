import * as Daemon from "#core/daemon/Daemon.ts"
import { bundles } from "./bundles/Feature.ts"
import { catalogue } from "./catalogue/Feature.ts"
import { files } from "./files/Feature.ts"
import { rebuilds } from "./rebuilds/Feature.ts"
import { texts } from "./texts/Feature.ts"
import "./ProblemTexts.ts"

/** Keeps the texts of user interfaces in all languages, and serves them as bundles. */
export const localization = Daemon.make({
  name: "localization",
  title: "Languages",
  description: "Keeps the texts of user interfaces in all languages, translates them, and serves them as bundles",
  port: 8110,
  showsAll: true,
  features: [texts, catalogue, bundles, rebuilds, files]
})
