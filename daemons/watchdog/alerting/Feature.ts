import { Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"

/** Alerts to people: one an incident, with its recovery, grouped, repeated, silenced; and a heartbeat to elsewhere. */
export const alerting = Feature.make({ layer: Layer.empty })
