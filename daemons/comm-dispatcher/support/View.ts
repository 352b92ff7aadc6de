/** Support sessions as the API and the command line show them. Pure. */
import type { OwnSessionView, SessionView } from "./Api.ts"
import { spoken } from "./SessionCode.ts"
import type { Session } from "./Store.ts"

export const ownViewOf = ({
  channel,
  code,
  created_at,
  expires_at,
  id,
  message
}: Session): typeof OwnSessionView.Type => ({
  id,
  session_code: spoken(code),
  channel,
  message,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString()
})

export const viewOf = (session: Session): typeof SessionView.Type => ({
  ...ownViewOf(session),
  tenant_id: session.tenant_id,
  state: session.state,
  user: { id: session.user_id, name: session.user_name, email: session.user_email },
  closed_at: session.closed_at?.toISOString() ?? null,
  closed_by: session.closed_by
})
