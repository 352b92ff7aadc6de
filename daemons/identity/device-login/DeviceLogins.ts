/**
 * Signs users in on devices that a provisioning link sets up. Such a session has no refresh token: it ends with its
 * only access token. The link replaces the second factor, as an invitation does.
 */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { SigningKeys } from "#core/auth/SigningKeys.ts"
import { Standing } from "#core/auth/Standing.ts"
import { DeviceLogin, type DeviceRevoked, loginTokenMinutes } from "#core/contracts/Provisioning.ts"
import * as Audit from "#core/log/Audit.ts"
import { RequestRefused } from "#core/requests/RequestContract.ts"
import { transaction } from "#core/sql/Sql.ts"
import { endSessions } from "../sessions/Exports.ts"
import { Accounts } from "../users/Exports.ts"

/** Longest stored user agent. Unit: characters. */
const maxUserAgent = 200

/** Entry in `methods` of the session. */
const method = "device"

/** Lifetime of the session and of its token. Unit: seconds. */
const lifetime = loginTokenMinutes * 60

const refused = (reason: string) => new RequestRefused({ type: DeviceLogin.type, reason })

/** Opens a session for the user, and returns its access token. */
export const open = Effect.fnUntraced(function* (asked: typeof DeviceLogin.ask.Type) {
  const keys = yield* SigningKeys
  const session = randomUUID()
  const account = yield* transaction(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A concurrent suspension waits, and then ends this session with the others.
      yield* sql`select 1 from identity.account where id = ${asked.user_id} for update`
      const account = yield* Accounts.credentialsOf(asked.user_id)
      if (account === undefined || account.tenant_id !== asked.tenant_id) return yield* refused("unknown")
      if (account.state !== "active" || account.tenant_state !== "active") return yield* refused("suspended")
      yield* sql`insert into identity.session (id, tenant_id, account_id, methods, address, user_agent, expires_at)
        values (${session}, ${account.tenant_id}, ${account.id}, string_to_array(${method}, ' '), ${asked.client_ip},
          ${asked.user_agent?.slice(0, maxUserAgent) ?? null}, now() + make_interval(secs => ${lifetime}))`
      yield* Audit.write({
        tenantId: account.tenant_id,
        actor: `user:${account.id}`,
        action: "session.opened",
        entity: "session",
        id: session,
        address: asked.client_ip,
        detail: { methods: [method], device_id: asked.device_id }
      })
      return account
    })
  )
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const token = yield* keys.sign({
    type: "access",
    userId: account.id,
    tenantId: account.tenant_id,
    role: account.role,
    locale: account.locale,
    ...(account.time_zone === null ? {} : { zoneinfo: account.time_zone }),
    session,
    id: randomUUID(),
    expires: now + lifetime
  })
  return { token, session }
})

/** Ends the session of a revoked device. */
export const end = ({ device_id, session, tenant_id, user_id }: typeof DeviceRevoked.data.Type) =>
  session === null
    ? Effect.void
    : Effect.gen(function* () {
        const ended = yield* transaction(
          Effect.tap(endSessions({ session, account: user_id }, "revoked"), (ids) =>
            Effect.forEach(ids, (id) =>
              Audit.write({
                tenantId: tenant_id,
                actor: "system",
                action: "session.ended",
                entity: "session",
                id,
                detail: { because: "device_revoked", device_id }
              })
            )
          )
        )
        if (ended.length > 0) yield* Effect.ignore((yield* Standing).refresh)
      })
