import * as Settings from "#core/config/Settings.ts"

export const routingSettings = {
  switchStaleFor: Settings.integer("SIGNALBOX_SWITCH_STALE_FOR", {
    doc: "How long the switch is told what was known last while the database is away; after it nobody can register or call",
    unit: "seconds",
    default: 3600,
    min: 1,
    max: 7 * 86_400
  })
}
