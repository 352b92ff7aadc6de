/** Implementation of `signalbox provisioning devices` and `revoke`. Uses the database, so no daemon needs to run. */
import { Effect, Option } from "effect"
import { fail } from "#core/cli/Ending.ts"
import { minute } from "#core/cli/Moment.ts"
import { columns, print } from "#core/cli/Output.ts"
import { fullId } from "#core/cli/ShortId.ts"
import * as Audit from "#core/log/Audit.ts"
import { inTransaction, userNamed } from "../OperatorStorage.ts"
import { endCredentials } from "./Revocations.ts"
import * as Store from "./Store.ts"

export const list = Effect.fnUntraced(function* (flags: {
  readonly user: Option.Option<string>
  readonly revoked: boolean
  readonly json: boolean
}) {
  const found = yield* inTransaction(
    Effect.gen(function* () {
      const user = Option.isSome(flags.user) ? (yield* userNamed(flags.user.value)).user_id : undefined
      return yield* Store.list({ user_id: user, revoked: flags.revoked }, undefined)
    })
  )
  const shown = found.map((device) => ({
    id: device.id,
    tenant_id: device.tenant_id,
    user_id: device.user_id,
    name: device.name,
    features: device.features,
    client_ip: device.client_ip,
    user_agent: device.user_agent,
    created_at: device.created_at,
    last_seen_at: device.last_seen_at,
    revoked_at: device.revoked_at,
    shares_extension_with: device.sharing
  }))
  yield* print(flags.json, shown, () =>
    columns([
      ["id", "name", "user", "set up", "from", "last seen", "features"],
      ...shown.map((device) => [
        device.id,
        device.name,
        String(device.user_id),
        minute(device.created_at),
        device.client_ip,
        device.last_seen_at === null ? "" : minute(device.last_seen_at),
        device.features.join(",")
      ])
    ])
  )
})

export const revoke = Effect.fnUntraced(function* (flags: { readonly id: string; readonly json: boolean }) {
  const revoked = yield* inTransaction(
    Effect.gen(function* () {
      const id = yield* fullId("provisioning.device", "device", flags.id)
      const device = yield* Store.get(id, undefined)
      const at = device === undefined ? undefined : yield* Store.revoke(id, Audit.operator)
      if (device === undefined || at === undefined) return yield* fail(`there is no device ${flags.id}`)
      yield* endCredentials(device, "revoked")
      yield* Audit.write({
        tenantId: device.tenant_id,
        actor: Audit.operator,
        action: "device.revoked",
        entity: "device",
        id: device.id,
        detail: { user_id: device.user_id, name: device.name, affected: device.sharing.map(({ id }) => id) }
      })
      return {
        id: device.id,
        name: device.name,
        revoked_at: at.toISOString(),
        sip_password_changes: device.extension_id !== null,
        affected_devices: device.sharing
      }
    })
  )
  yield* print(flags.json, revoked, () => [
    `${revoked.name} is revoked.`,
    ...revoked.affected_devices.map(({ id, name }) => `Needs a new link for calls: ${name} (${id}).`)
  ])
})
