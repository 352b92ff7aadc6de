import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"

/** Bans of all our daemons and of CrowdSec in one list, and exemptions from them. */
export const bans = Feature.make({ layer: Layer.empty })
