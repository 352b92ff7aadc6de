/** Address of a tenant for links and templates. Pure. */
import { publicBase } from "#core/http/PublicBase.ts"

/**
 * Base address without a trailing slash. `domain`: the tenant's own host. Without one it is the address of the
 * installation, else the address of the request.
 */
export const tenantBase = (
  domain: string | null,
  publicUrl: string | undefined,
  headers: Readonly<Record<string, string | undefined>>
): string => (domain === null ? publicBase(publicUrl, headers) : `https://${domain}`)
