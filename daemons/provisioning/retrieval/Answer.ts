/** Builds the answer to a device from the catalog, the bookings and the credentials. Pure. */
import { loginTokenMinutes } from "#core/contracts/Provisioning.ts"
import type { Bookings } from "../bookings/Exports.ts"
import { type Catalog, fill, type Template, valuesFor } from "../catalog/Exports.ts"
import type { People } from "../people/Exports.ts"
import { textIn } from "../vocabulary/Exports.ts"
import type { ProvisioningAnswer } from "./Api.ts"

/** Secrets of the answer. Each is absent where its service is not booked, or where the user has no such account. */
export interface Credentials {
  readonly login?: { readonly token: string }
  readonly phone?: { readonly extension: string; readonly realm: string; readonly password: string }
  readonly mail?: { readonly login: string; readonly password: string }
}

/** What is known of a user and of the tenant. */
export interface Known {
  /** Base address of the tenant. */
  readonly base: string
  /** Language of names: `de`. */
  readonly language: string
  readonly user: People.KnownUser
  readonly mailbox: string | undefined
  readonly extension: People.KnownExtension | undefined
  readonly overview: Bookings.Overview
}

/** Whether the configuration template of a service requests this kind of credentials. */
export const asksFor = (
  template: Template,
  flag: "provides_login_token" | "provides_extension" | "provides_app_password"
): boolean => template[flag] === true

/** Builds the answer. Without credentials it is the answer of `my-services`. */
export const answerOf = (known: Known, credentials?: Credentials): ProvisioningAnswer => {
  const { base, language, overview, user } = known
  const values = valuesFor({ base: new URL(base).host, email: user.email, displayName: user.name })
  const booked = overview.services.filter((one) => one.booked)
  return {
    server_url: base,
    plan: overview.plan.plan,
    features: [...new Set(booked.map(({ service }) => service.feature_slug))],
    user: { id: user.user_id, email: user.email, display_name: user.name, locale: user.locale },
    services: overview.services.map(({ booked, service }) => ({
      slug: service.slug,
      feature: service.feature_slug,
      name: textIn(service.name_i18n, language),
      description: textIn(service.description_i18n, language),
      icon: service.icon,
      booked,
      is_base: service.is_base,
      ...(booked ? { config: configOf(service, fill(service.config_template, values), known, credentials) } : {})
    })),
    booked: overview.booked
  }
}

/**
 * Configuration of a booked service. Source of the keys: interface document 2 §2.4. User name and password of mail are
 * ours.
 */
const configOf = (
  { config_template: template }: Catalog.Service,
  filled: Template,
  { extension, mailbox }: Known,
  credentials: Credentials | undefined
): Template => ({
  ...filled,
  ...(asksFor(template, "provides_login_token")
    ? {
        ...(credentials?.login === undefined ? {} : { login_token: credentials.login.token }),
        token_ttl_minutes: loginTokenMinutes
      }
    : {}),
  ...(asksFor(template, "provides_extension") ? phoneConfig(filled, extension, credentials?.phone) : {}),
  ...(asksFor(template, "provides_app_password") ? mailConfig(mailbox, credentials?.mail) : {})
})

const phoneConfig = (filled: Template, known: Known["extension"], phone: Credentials["phone"]): Template => ({
  ...(filled["url_template"] === undefined ? {} : { wss_url: filled["url_template"] }),
  ...(phone !== undefined
    ? { realm: phone.realm, extension: phone.extension, password: phone.password }
    : known !== undefined
      ? { realm: known.domain, extension: known.extension }
      : {})
})

const mailConfig = (mailbox: string | undefined, mail: Credentials["mail"]): Template =>
  mail !== undefined
    ? { username: mail.login, password: mail.password }
    : mailbox !== undefined
      ? { username: mailbox }
      : {}
