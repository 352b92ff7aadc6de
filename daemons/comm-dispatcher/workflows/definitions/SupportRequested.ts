import { SupportSessionCreated } from "#core/contracts/Support.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"
import { shown } from "../../vocabulary/Exports.ts"

const words = {
  de: {
    title: (code: string) => `Hilfe angefragt: ${code}`,
    body: (channel: string) => `Jemand bittet um Hilfe, über ${channel}, und wird diesen Code vorlesen.`
  },
  en: {
    title: (code: string) => `Support requested: ${code}`,
    body: (channel: string) => `A user requests support by ${channel}, and will read out this code.`
  }
}

/** Notifies the tenant's admins of a request for support. */
export const supportRequested = onEvent(SupportSessionCreated, {
  name: "support-requested",
  title: "Notify the admins of requests for support",
  subject: ({ data }) => `${data.session_code} by ${data.channel}`,
  steps: [
    notifyAdmins(({ event: { data }, language }) => ({
      type: "support.session.created",
      category: "support",
      severity: "info",
      title: words[language].title(shown(data.session_code)),
      body: words[language].body(shown(data.channel)),
      data: { session_code: shown(data.session_code), channel: shown(data.channel) },
      action_url: "/console/support"
    }))
  ]
})
