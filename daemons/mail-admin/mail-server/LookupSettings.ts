import type { Place } from "#core/daemon/PortActor.ts"
import * as Settings from "#core/config/Settings.ts"
import type { Values } from "#core/config/Settings.ts"
import { lookupSocket, postfixDir } from "./PostfixSockets.ts"

/** Port for look-ups when there is no socket: the one of earlier files of config/postfix. */
export const defaultLookupPort = 10033

export const lookupSettings = {
  postfixDir,
  lookupHost: Settings.text("SIGNALBOX_MAIL_LOOKUP_HOST", {
    doc: "Address of SIGNALBOX_MAIL_LOOKUP_PORT",
    default: "127.0.0.1"
  }),
  lookupPort: Settings.optionalPort("SIGNALBOX_MAIL_LOOKUP_PORT", {
    doc:
      "Port for look-ups of Postfix (socketmap), without password and TLS; " +
      `unset: ${defaultLookupPort} without SIGNALBOX_POSTFIX_DIR, else none`
  })
}

/** Addresses for look-ups. Pure. */
export const lookupPlaces = ({
  lookupHost: host,
  lookupPort,
  postfixDir: directory
}: Values<typeof lookupSettings>): ReadonlyArray<Place> => {
  const port = lookupPort ?? (directory === undefined ? defaultLookupPort : undefined)
  return [
    ...(directory === undefined ? [] : [{ path: lookupSocket(directory) }]),
    ...(port === undefined ? [] : [{ host, port }])
  ]
}
