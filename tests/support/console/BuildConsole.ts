/** Builds the console unless another test process has just done so. Build.ts starts it under the lock. */
import { buildOutdated } from "./Build.ts"

buildOutdated()
