/** Type of a service, and the check who may change the catalog, for all parts of the page. */
import type { Answer } from "../../../lib/Endpoints.ts"
import { isProvider, may } from "../../../lib/Me.ts"

/** A service of the catalog. */
export type Service = Answer<"GET /api/v1/provisioning/services">["items"][number]

/** Whether the user may change the catalog, which is the same for all tenants. */
export const mayChange = (): boolean => isProvider() && may("provisioning.manage")
