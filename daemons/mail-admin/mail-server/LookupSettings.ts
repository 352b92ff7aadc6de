import * as Settings from "#core/config/Settings.ts"

export const lookupSettings = {
  lookupHost: Settings.text("SIGNALBOX_MAIL_LOOKUP_HOST", {
    doc: "Listening address for look-ups of Postfix (socketmap), without password and TLS",
    default: "127.0.0.1"
  }),
  lookupPort: Settings.port("SIGNALBOX_MAIL_LOOKUP_PORT", { doc: "Port for look-ups of Postfix", default: 10033 })
}
