import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { BanAdded } from "#core/contracts/Security.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyAdminsHourly } from "../steps/NotifyAdminsHourly.ts"
import { shown } from "../../vocabulary/Exports.ts"

const words = shippedTexts("comm-dispatcher.bans-added", {
  en: {
    title: "{count, plural, one {Address banned: {rule}} other {# addresses banned: {rule}}}",
    one: "{address} is turned away. Further bans by this rule are told together, for an hour.",
    many: "Since the last notice {count} addresses were banned by this rule."
  },
  de: {
    title: "{count, plural, one {Adresse gesperrt: {rule}} other {# Adressen gesperrt: {rule}}}",
    one: "{address} wird abgewiesen. Weitere Sperren nach dieser Regel werden eine Stunde lang gesammelt gemeldet.",
    many: "Seit der letzten Meldung wurden nach dieser Regel {count} Adressen gesperrt."
  }
})

/** Notifies the admins of banned addresses: the first ban of a rule at once, further ones once an hour. */
export const bansAdded = onEvent(BanAdded, {
  name: "bans-added",
  title: "Tell the admins of bans, each rule once an hour",
  subject: ({ data }) => `${data.address} by ${data.rule}`,
  digest: (rule, count, language) => ({
    type: "security.ban.added",
    category: "security",
    severity: "warning",
    title: words(language).title({ rule: shown(rule), count }),
    body: words(language).many({ count }),
    data: { rule: shown(rule), count }
  }),
  steps: [
    notifyAdminsHourly("bans-added", {
      keyOf: ({ data }) => shown(data.rule),
      contentOf: ({ event: { data }, language }) => ({
        type: "security.ban.added",
        category: "security",
        severity: "warning",
        title: words(language).title({ rule: shown(data.rule), count: 1 }),
        body: words(language).one({ address: data.address }),
        data: { rule: shown(data.rule), count: 1, address: data.address }
      })
    })
  ]
})
