import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"

/** Scheduled backups with restic, restore drills and restores. */
export const backups = Feature.make({ layer: Layer.empty })
