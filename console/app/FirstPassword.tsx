import { words } from "../lib/Language.ts"
import { me } from "../lib/Me.ts"

const t = words({
  en: {
    told: (email: string) => `The link signed you in as ${email}. This account has no password yet.`,
    set: "Set a password"
  },
  de: {
    told: (email: string) => `Der Link hat Sie als ${email} angemeldet. Dieses Konto hat noch kein Passwort.`,
    set: "Passwort festlegen"
  }
})

/** Sign-in methods after which an account needs a password. A sign-in by an external provider is not among them. */
const links = new Set(["link:first_admin", "link:invitation"])

/**
 * Note for a user who signed in by a link and has no password yet: names the account and links to the password form.
 */
export const FirstPassword = () =>
  me.value === undefined ||
  me.value.has_password ||
  !me.value.session.methods.some((method) => links.has(method)) ? null : (
    <p class="first-password" role="note">
      {t().told(me.value.email)} <a href="/console/settings#password">{t().set}</a>
    </p>
  )
