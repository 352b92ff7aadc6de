import { shippedTexts } from "#core/words/ShippedTexts.ts"
import { SecurityChanged } from "#core/contracts/Identity.ts"
import { onEvent } from "../engine/EventWorkflow.ts"
import { notifyUser } from "../steps/NotifyUser.ts"

const words = shippedTexts("comm-dispatcher.account-changed", {
  en: {
    password_changed: "Your password was changed",
    second_factor_added: "A second factor was set up",
    second_factor_removed: "A second factor was removed",
    recovery_codes_renewed: "New recovery codes were made",
    provider_connected: "Your account was connected with a sign-in provider",
    sessions_ended: "You were signed out everywhere",
    body: "If that was not you, change your password, and tell your administrators."
  },
  de: {
    password_changed: "Ihr Passwort wurde geändert",
    second_factor_added: "Ein zweiter Faktor wurde eingerichtet",
    second_factor_removed: "Ein zweiter Faktor wurde entfernt",
    recovery_codes_renewed: "Neue Wiederherstellungscodes wurden erzeugt",
    provider_connected: "Ihr Konto wurde mit einem Anmeldedienst verbunden",
    sessions_ended: "Sie wurden überall abgemeldet",
    body: "Waren Sie das nicht, ändern Sie Ihr Passwort, und melden Sie sich bei Ihrer Verwaltung."
  }
})

/** Notifies users of changes to the security of their account, whoever made the change. */
export const accountChanged = onEvent(SecurityChanged, {
  name: "account-changed",
  title: "Tell users of changes to the security of their account",
  subject: ({ data }) => `user ${data.user_id}: ${data.change}`,
  steps: [
    notifyUser(
      ({ user_id }) => user_id,
      ({ event: { data }, language }) => ({
        type: `security.account.${data.change}`,
        category: "security",
        severity: "warning",
        title: words(language)[data.change],
        body: words(language).body,
        data: { change: data.change, at: data.at },
        action_url: "/console/settings"
      })
    )
  ]
})
