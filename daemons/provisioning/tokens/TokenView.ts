/** A token as the API and the commands show it. Pure. */
import type { TokenView } from "./Api.ts"
import type { Token } from "./Store.ts"
import { stateOf } from "./TokenState.ts"

export const tokenView = (token: Token): typeof TokenView.Type => {
  const state = stateOf(token, Date.now())
  return {
    id: token.id,
    tenant_id: token.tenant_id,
    user_id: token.user_id,
    prefix: token.prefix,
    label: token.label,
    state,
    created_by: token.created_by,
    created_at: token.created_at.toISOString(),
    expires_at: token.expires_at.toISOString(),
    used_at: token.used_at?.toISOString() ?? null,
    revoked_at: token.revoked_at?.toISOString() ?? null,
    device_id: state === "used" ? token.device_id : null
  }
}
