/** Type of a service, and the check who may change the catalog, for all parts of the page. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { language } from "../../../lib/Language.ts"
import { isProvider, may } from "../../../lib/Me.ts"

/** A service of the catalog. */
export type Service = Answer<"GET /api/v1/provisioning/services">["items"][number]

/** A package that tenants subscribe to. */
export type Package = Answer<"GET /api/v1/provisioning/packages">["items"][number]

/** Whether the user may change the catalog, which is the same for all tenants. */
export const mayChange = (): boolean => isProvider() && may("provisioning.manage")

/** Name of a service in the page's language. */
export const nameOf = ({ name_i18n, slug }: Service): string => name_i18n[language.value] ?? name_i18n["en"] ?? slug

/** Name of the service with this slug; the slug when the catalog does not have it. */
export const nameIn = (services: ReadonlyArray<Service>, slug: string): string => {
  const found = services.find((service) => service.slug === slug)
  return found === undefined ? slug : nameOf(found)
}
