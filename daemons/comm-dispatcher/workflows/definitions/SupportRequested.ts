import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { SupportSessionCreated } from "#core/contracts/Support.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyAdmins } from "../steps/NotifyAdmins.ts"
import { shown } from "../../vocabulary/Exports.ts"

const words = shippedTexts("comm-dispatcher.support-requested", {
  en: {
    title: "Support requested: {code}",
    body: "A user requests support by {channel}, and will read out this code."
  },
  de: {
    title: "Hilfe angefragt: {code}",
    body: "Jemand bittet um Hilfe, über {channel}, und wird diesen Code vorlesen."
  }
})

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
      title: words(language).title({ code: shown(data.session_code) }),
      body: words(language).body({ channel: shown(data.channel) }),
      data: { session_code: shown(data.session_code), channel: shown(data.channel) },
      action_url: "/console/support"
    }))
  ]
})
