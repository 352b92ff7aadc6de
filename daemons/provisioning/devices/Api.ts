import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"
import { Id, inTenant } from "#core/http/Paging.ts"
import { NotFound } from "#core/http/Problem.ts"

/** Another device that knows the password of the same extension. */
export const AffectedDevice = Schema.Struct({ id: Schema.String, name: Schema.String, user_id: Schema.Int }).annotate({
  identifier: "AffectedDevice"
})

/** A device that a link has set up. */
export const DeviceView = Schema.Struct({
  /** UUID. */
  id: Schema.String,
  tenant_id: Schema.Int,
  user_id: Schema.Int,
  name: Schema.String,
  features: Schema.Array(Schema.String),
  /** Address from which it was set up. */
  client_ip: Schema.String,
  user_agent: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  /** Last use of the login or of the app password; null: not known. Precise to the minute. */
  last_seen_at: Schema.NullOr(Schema.String),
  revoked_at: Schema.NullOr(Schema.String),
  token_id: Schema.NullOr(Schema.Int),
  /** Devices that stop making calls when this one is revoked, because its extension gets a new password. */
  shares_extension_with: Schema.Array(AffectedDevice)
}).annotate({ identifier: "ProvisionedDevice" })

/** What a revocation ends. */
export const RevokedView = Schema.Struct({
  id: Schema.String,
  revoked_at: Schema.String,
  /** Whether the extension of the device gets a new password. */
  sip_password_changes: Schema.Boolean,
  /** Devices that need a new link for calls. */
  affected_devices: Schema.Array(AffectedDevice)
}).annotate({ identifier: "RevokedDevice" })

const params = { id: Schema.String.check(Schema.isUUID()) }

/** Devices of users. */
export const devices = HttpApiGroup.make("provisioningDevices")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...inTenant,
        user_id: Schema.optionalKey(Id),
        /** Also revoked devices. Default: false. */
        revoked: Schema.optionalKey(Schema.Literals(["true", "false"]))
      },
      success: Schema.Struct({ items: Schema.Array(DeviceView) })
    })
      .annotate(Requires, "provisioning.client_tokens.read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Devices, newest first",
          description: "Without `users.read` the caller's own. Filters: `user_id`, `revoked=true`. At most 200."
        })
      ),
    HttpApiEndpoint.get("show", "/:id", { params, success: DeviceView, error: NotFound })
      .annotate(Requires, "provisioning.client_tokens.read")
      .annotateMerge(OpenApi.annotations({ summary: "One device" })),
    HttpApiEndpoint.delete("revoke", "/:id", { params, success: RevokedView, error: NotFound })
      .annotate(Requires, "provisioning.client_tokens.create")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Revoke a device",
          description:
            "Ends its login and its app password, and gives its extension a new password. Users revoke their own " +
            "devices; for another user the caller needs `users.manage`. 404: no such device, or already revoked."
        })
      )
  )
  .middleware(Authentication)
  .prefix("/api/v1/provisioning/devices")

export const DevicesApi = Api.make("provisioning-devices").add(devices)
