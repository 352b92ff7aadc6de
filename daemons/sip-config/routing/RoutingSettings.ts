import * as Settings from "#core/config/Settings.ts"

export const routingSettings = {
  switchStaleFor: Settings.integer("SIGNALBOX_SWITCH_STALE_FOR", {
    doc:
      "How long the switch gets the last known data while the database is unavailable; then registrations and calls " +
      "are refused",
    unit: "seconds",
    default: 3600,
    min: 1,
    max: 7 * 86_400
  })
}
