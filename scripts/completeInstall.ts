// Before the build, which is what an install ends with: without scripts, or it would begin again.

import { completeInstall } from "./devTools.ts"

completeInstall("--ignore-scripts")
