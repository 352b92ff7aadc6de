import { Schema } from "effect"

/** Reason why a profile cannot be signed. A retry does not help. */
export const DeviceProfilesReason = Schema.TaggedUnion({
  BadCertificate: { why: Schema.String },
  BadKey: { why: Schema.String }
})
export type DeviceProfilesReason = typeof DeviceProfilesReason.Type

/** The only error class of this folder. Contains no part of a key. */
export class DeviceProfilesError extends Schema.TaggedError<DeviceProfilesError>()("DeviceProfilesError", {
  reason: DeviceProfilesReason
}) {
  readonly retryable = false
  override get message(): string {
    return sentence(this.reason)
  }
}

const sentence = DeviceProfilesReason.match({
  BadCertificate: ({ why }) => `the certificate cannot be used: ${why}`,
  BadKey: ({ why }) => `the key cannot be used: ${why}`
})

export const badCertificate = (why: string) => new DeviceProfilesError({ reason: { _tag: "BadCertificate", why } })
export const badKey = (why: string) => new DeviceProfilesError({ reason: { _tag: "BadKey", why } })
