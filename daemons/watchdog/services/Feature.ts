import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"

/** Containers, systemd units and our own daemons: their state, logs and restarts. */
export const services = Feature.make({ layer: Layer.empty })
