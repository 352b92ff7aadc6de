import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { LinkGone, TooManyRetrievals } from "../vocabulary/Exports.ts"

/** Longest submitted profile. Unit: UTF-16 units. Reason: three accounts with the longest names, sealed. */
const maxProfile = 12_000

const error = [LinkGone, TooManyRetrievals, Unavailable]

/** Files that devices load after they were set up. */
export const devicePages = HttpApiGroup.make("provisioningDevicePages").add(
  HttpApiEndpoint.post("profile", "/provision/profile/device.mobileconfig", {
    payload: Schema.Struct({ profile: Schema.String.check(Schema.isMaxLength(maxProfile)) }).pipe(
      HttpApiSchema.asFormUrlEncoded()
    ),
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/x-apple-aspen-config" })),
    error
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Configuration profile for Apple devices",
      description:
        "Sent by the button of the page that a link shows once. `profile` is sealed by this daemon and valid for 30 " +
        "minutes; nobody else can make one. The answer is an XML property list, signed (CMS) where the operator has " +
        "given a certificate. 404 `link_gone`: too old, forged, or the device is revoked."
    })
  ),
  HttpApiEndpoint.get("phoneFile", "/provision/phone/:secret/:file", {
    params: {
      secret: Schema.String.check(Schema.isMaxLength(200)),
      file: Schema.String.check(Schema.isMaxLength(100))
    },
    success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
    error
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Configuration of a telephone",
      description:
        "The address has a secret of its own for each device and works until the device is revoked. `file` decides " +
        "the format: `<mac>.cfg` or `yealink.cfg`, `snom.xml`, `cfg<mac>.xml` or `grandstream.xml`, `linphone.xml`. " +
        "404 `link_gone`: unknown or revoked, or another file. Each answer is written to the audit log as a showing " +
        "of the password."
    })
  )
)

export const DevicePagesApi = Api.make("provisioning-device-pages").add(devicePages)
