import * as Settings from "#core/config/Settings.ts"
import { hostName } from "../directory/Exports.ts"

export const socketSettings = {
  sipWsUrl: Settings.optionalText("SIGNALBOX_SIP_WS_URL", {
    doc:
      "Address of the switch's SIP over WebSocket, such as ws://127.0.0.1:5066, for phones that connect through " +
      "/sip; unset: /sip is off",
    check: (text) => {
      const url = URL.parse(text)
      if (url === null || (url.protocol !== "ws:" && url.protocol !== "wss:") || url.hash !== "")
        return "must be a ws or wss URL"
      return url.username === "" && url.password === "" ? undefined : "must not contain a user or password"
    }
  }),
  sipWsOrigins: Settings.list("SIGNALBOX_SIP_WS_ORIGINS", {
    doc:
      "Hosts whose pages may connect to /sip, *.example.org for all subdomains; empty: only pages of the requested " +
      "host",
    default: [],
    check: (item) =>
      hostName(item.replace(/^\*\./, "")) === item.replace(/^\*\./, "")
        ? undefined
        : `${item} is not a lower-case host name such as www.example.org`
  })
}
