import * as Settings from "#core/config/Settings.ts"
import { hostName } from "../directory/Exports.ts"

export const socketSettings = {
  sipWsUrl: Settings.optionalText("SIGNALBOX_SIP_WS_URL", {
    doc: "Where the switch speaks SIP over WebSocket, such as ws://127.0.0.1:5066, for phones that come through /sip; unset: nobody can",
    check: (text) => {
      const url = URL.parse(text)
      if (url === null || (url.protocol !== "ws:" && url.protocol !== "wss:") || url.hash !== "")
        return "must be a ws or wss address"
      return url.username === "" && url.password === "" ? undefined : "must not carry a user or password"
    }
  }),
  sipWsOrigins: Settings.list("SIGNALBOX_SIP_WS_ORIGINS", {
    doc: "Hosts whose pages may connect to /sip, *.example.org for those below one; empty: pages of the host that is asked",
    default: [],
    check: (item) =>
      hostName(item.replace(/^\*\./, "")) === item.replace(/^\*\./, "")
        ? undefined
        : `${item} is not a host name in lower case, such as www.example.org`
  })
}
