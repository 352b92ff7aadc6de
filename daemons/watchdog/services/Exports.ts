/** What the other features may use of services. The layer is a constant, so all features share one instance. */
import { Layer } from "effect"
import * as Keeper from "./CriticalKeeper.ts"
import * as Runtime from "./ServiceRuntime.ts"

export { CriticalKeeper } from "./CriticalKeeper.ts"
export { ServiceRuntime } from "./ServiceRuntime.ts"
export { conditionOf, type Snapshot } from "./Snapshot.ts"

/** Provides `ServiceRuntime` and `CriticalKeeper` (`restartCritical`). */
export const serviceRuntime = Layer.mergeAll(Runtime.layer, Keeper.layer)
