// Runs before the build, at the end of an install. `--ignore-scripts` prevents that the install starts the build again.

import { completeInstall } from "./devTools.ts"

completeInstall("--ignore-scripts")
