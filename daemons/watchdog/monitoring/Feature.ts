import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"

/** Checks of this machine, its services and our own daemons. */
export const monitoring = Feature.make({ layer: Layer.empty })
