/**
 * Settings of the telephone switch's event socket, for the daemons that use it.
 */
import { Result } from "effect"
import * as Settings from "./Settings.ts"

/**
 * Password of the switch's stock configuration. Anyone who reaches the port with it controls the machine. Source:
 * event_socket.conf.xml.
 */
const stockPassword = "ClueCon"

const password = Settings.secret("SIGNALBOX_SWITCH_PASSWORD", { doc: "Password of the switch's event socket" })

export const switchSettings = {
  switchHost: Settings.optionalText("SIGNALBOX_SWITCH_HOST", {
    doc: "Host of the telephone switch's event socket; unset: calls fail as unconfigured, and calls are not recorded"
  }),
  switchPort: Settings.port("SIGNALBOX_SWITCH_PORT", { doc: "Port of the switch's event socket", default: 8021 }),
  switchPassword: {
    ...password,
    parse: (raw: string) =>
      raw.trim() === stockPassword
        ? Result.fail(
            "is the switch's default password, which gives anyone who reaches the port control of the machine; " +
              "change it in event_socket.conf.xml and here"
          )
        : /[\r\n]/.test(raw.trim())
          ? Result.fail("must be one line")
          : password.parse(raw)
  }
}
