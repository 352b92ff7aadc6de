import { words } from "../../lib/Language.ts"
import { me } from "../../lib/Me.ts"

const t = words({
  en: {
    title: "Account",
    name: "Name",
    email: "E-mail address",
    tenant: "Tenant",
    role: "Role",
    admin: "Administrator",
    reseller: "Reseller",
    customer: "Customer",
    user: "User",
    support: "Support"
  },
  de: {
    title: "Konto",
    name: "Name",
    email: "E-Mail-Adresse",
    tenant: "Mandant",
    role: "Rolle",
    admin: "Administration",
    reseller: "Wiederverkauf",
    customer: "Kunde",
    user: "Benutzer",
    support: "Support"
  }
})

/** Name, address and role of the user. */
export const Profile = () => {
  const { email, name, role, tenant_name } = me.value!
  return (
    <section class="card" aria-labelledby="profile">
      <h2 id="profile">{t().title}</h2>
      <dl class="facts">
        <dt>{t().name}</dt>
        <dd>{name}</dd>
        <dt>{t().email}</dt>
        <dd>{email}</dd>
        <dt>{t().tenant}</dt>
        <dd>{tenant_name}</dd>
        <dt>{t().role}</dt>
        <dd>{t()[role]}</dd>
      </dl>
    </section>
  )
}
