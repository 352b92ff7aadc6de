/** The server's errors about users, tenants and service tokens, in the page's language. */
import { words } from "../../lib/Language.ts"
import type { Problem } from "../../lib/Problem.ts"
import { refusedBy } from "../../parts/Refused.tsx"
import { told as toldOfForm } from "../telephony/Refusals.ts"

const t = words({
  en: {
    email_taken: "An account of this installation has this address already.",
    role_exceeds_own: (permission: string) => `This role may do more than you: ${permission}. Ask an administrator.`,
    own_account: "This is your own account. Another administrator can do this.",
    last_admin: "This is the last active administrator of the provider. Create another one first.",
    tenant_name_taken: "A tenant has this name already.",
    provider_tenant: "The provider's tenant cannot be suspended. Suspend single users instead.",
    scope_exceeds_own: (scope: string) => `You may not grant ${scope}, because you do not have it.`
  },
  de: {
    email_taken: "Diese Adresse hat in dieser Installation schon ein Konto.",
    role_exceeds_own: (permission: string) =>
      `Diese Rolle darf mehr als Sie: ${permission}. Bitten Sie die Administration darum.`,
    own_account: "Das ist Ihr eigenes Konto. Jemand anderes aus der Administration kann das tun.",
    last_admin: "Das ist das letzte aktive Administrationskonto des Betreibers. Legen Sie zuerst ein anderes an.",
    tenant_name_taken: "Einen Mandanten mit diesem Namen gibt es schon.",
    provider_tenant: "Der Mandant des Betreibers lässt sich nicht sperren. Sperren Sie stattdessen einzelne Benutzer.",
    scope_exceeds_own: (scope: string) => `${scope} können Sie nicht vergeben, weil Sie es selbst nicht haben.`
  }
})

/** The error as text. `shown`: fields of a form that show their own errors. */
export const told = (problem: Problem, shown: ReadonlyArray<string> = []): string => {
  switch (problem.code) {
    case "email_taken":
    case "own_account":
    case "last_admin":
    case "tenant_name_taken":
    case "provider_tenant":
      return t()[problem.code]
    case "role_exceeds_own":
      return t().role_exceeds_own(String(problem.fields["permission"]))
    case "scope_exceeds_own":
      return t().scope_exceeds_own(String(problem.fields["scope"]))
    default:
      return toldOfForm(problem, shown)
  }
}

/** Shows the error of an action. */
export const Refused = refusedBy(told)
