/**
 * Events and requests of the set-up of devices. A device is one set-up of a client by a provisioning link. Source of
 * `provisioning.completed`: interface document 2 §6; the other events and all requests are ours.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"
import * as Requests from "../requests/RequestContract.ts"

/** A device was set up. Addressed to its user. */
export const ProvisioningCompleted = define(
  "provisioning.completed",
  Schema.Struct({
    user_id: Schema.Int,
    tenant_id: Schema.Int,
    /** Features of the booked services: `platform`, `webdav`, `carddav`, `caldav`, `mail`, `sip`. */
    features: Schema.Array(Schema.String),
    client_ip: Schema.String,
    /** UUID. */
    device_id: Schema.String,
    device_name: Schema.String,
    token_id: Schema.Int,
    /** ISO 8601. */
    at: Schema.String
  })
)

/** State of a provisioning link changed; contains no secret. Addressed to the tenant, for those who made the link. */
export const ProvisioningTokenChanged = define(
  "provisioning.token.changed",
  Schema.Struct({
    token_id: Schema.Int,
    /** The 8 hexadecimal digits that lists show. */
    prefix: Schema.String,
    tenant_id: Schema.Int,
    user_id: Schema.Int,
    state: Schema.Literals(["unused", "used", "revoked"]),
    /** Device that the link set up; null unless `used`. */
    device_id: Schema.NullOr(Schema.String),
    /** ISO 8601. */
    at: Schema.String
  })
)

/**
 * The credentials of a device end. Each daemon ends those that it issued for `device_id`: identity the session,
 * mail-admin the app password, sip-config the password of the extension.
 */
export const DeviceRevoked = define(
  "provisioning.device.revoked",
  Schema.Struct({
    device_id: Schema.String,
    user_id: Schema.Int,
    tenant_id: Schema.Int,
    /** `abandoned`: the set-up failed half-way, so nobody has received the credentials. */
    reason: Schema.Literals(["revoked", "user_deleted", "abandoned"]),
    /** Of the device, as in all state events. Events of older versions lack it. */
    state: Schema.optionalKey(Schema.Literal("deleted")),
    /** Session of the platform login; null when none was opened. */
    session: Schema.NullOr(Schema.String),
    /** Address of the mailbox with an app password for the device; null when there is none. */
    mailbox: Schema.NullOr(Schema.String),
    /** Extension whose password changes; null when the device does not know it. */
    extension_id: Schema.NullOr(Schema.Int),
    /** ISO 8601. */
    at: Schema.String
  })
)

/** Lifetime of the platform login token. Unit: minutes. Source: interface document 2 §8. */
export const loginTokenMinutes = 15

/** What every request is about: the device that is being set up, and its user. */
const forDevice = { user_id: Schema.Int, tenant_id: Schema.Int, device_id: Schema.String, client_ip: Schema.String }

/**
 * A login of the user at the platform. The session ends with the token, and with `DeviceRevoked`. Refusals: `unknown`
 * (no such user in the tenant), `suspended`.
 */
export const DeviceLogin = Requests.define(
  "identity.device_login",
  Schema.Struct({ ...forDevice, user_agent: Schema.NullOr(Schema.String) }),
  Schema.Struct({
    /** JWT, an access token for `loginTokenMinutes`. */
    token: Schema.String,
    session: Schema.String
  })
)

/**
 * Settings of a phone with the password of an extension of the user; written to the audit log as a showing. Refusal:
 * `unknown` (no such enabled extension of the user).
 */
export const ExtensionCredentials = Requests.define(
  "sip-config.extension_credentials",
  Schema.Struct({ ...forDevice, extension_id: Schema.Int }),
  Schema.Struct({
    extension: Schema.String,
    display_name: Schema.String,
    /** SIP domain, also the digest realm. */
    realm: Schema.String,
    password: Schema.String,
    /** SIP over WebSocket at the switch's own port. */
    wss_url: Schema.String,
    transports: Schema.Array(
      Schema.Struct({
        transport: Schema.Literals(["udp", "tls", "wss"]),
        host: Schema.String,
        port: Schema.Int,
        srtp: Schema.Literals(["off", "optional", "mandatory"])
      })
    ),
    /** In order of preference. */
    codecs: Schema.Array(Schema.String)
  })
)

/**
 * A new password for one mailbox of the user, for this device alone. It ends with `DeviceRevoked`. Refusals: `unknown`
 * (no such active mailbox of the user).
 */
export const MailAppPassword = Requests.define(
  "mail-admin.app_password",
  Schema.Struct({ ...forDevice, address: Schema.String, device_name: Schema.String }),
  Schema.Struct({
    /** User name at the mail server. */
    login: Schema.String,
    password: Schema.String
  })
)
