import { readFileSync } from "node:fs"
import { isAbsolute } from "node:path"
import { Redacted, Result } from "effect"
import { brandSettings } from "#core/config/BrandSettings.ts"
import * as Settings from "#core/config/Settings.ts"
import type { SettingProblem, Values } from "#core/config/Settings.ts"
import { organization } from "../link-mail/Exports.ts"
import { type Signer, signerOf } from "#protocols/device-profiles/Signer.ts"

export const devicePageSettings = {
  organization,
  brandName: brandSettings.brandName,
  profileCertificate: Settings.optionalText("SIGNALBOX_PROFILE_CERTIFICATE", {
    doc:
      "PEM file with the certificate that signs configuration profiles for Apple devices, and its chain; unset: " +
      "profiles are unsigned, and devices show them as not verified",
    check: (path) => (isAbsolute(path) ? undefined : "must be an absolute path")
  }),
  profileKey: Settings.secret("SIGNALBOX_PROFILE_KEY", {
    doc: "Private key of SIGNALBOX_PROFILE_CERTIFICATE, in PEM form without password"
  })
}

type DevicePageSettings = Values<typeof devicePageSettings>

/** Problems of the combination of settings. */
export const devicePageConflicts = (values: DevicePageSettings): ReadonlyArray<SettingProblem> => {
  const { profileCertificate, profileKey } = values
  if (profileCertificate === undefined && profileKey === undefined) return []
  if (profileKey === undefined)
    return [{ name: "SIGNALBOX_PROFILE_KEY", message: "is required with SIGNALBOX_PROFILE_CERTIFICATE" }]
  if (profileCertificate === undefined)
    return [{ name: "SIGNALBOX_PROFILE_CERTIFICATE", message: "is required with SIGNALBOX_PROFILE_KEY" }]
  return Result.match(loadSigner(values), {
    onFailure: (message) => [{ name: "SIGNALBOX_PROFILE_CERTIFICATE", message }],
    onSuccess: () => []
  })
}

/**
 * Reads the certificate, which an operator renews without a restart. Undefined when profiles are not signed; a failure
 * is a sentence.
 */
export const loadSigner = ({
  profileCertificate,
  profileKey
}: Pick<DevicePageSettings, "profileCertificate" | "profileKey">): Result.Result<Signer | undefined, string> => {
  if (profileCertificate === undefined || profileKey === undefined) return Result.succeed(undefined)
  try {
    return Result.mapError(
      signerOf(readFileSync(profileCertificate, "utf8"), Redacted.value(profileKey)),
      ({ message }) => message
    )
  } catch (error) {
    return Result.fail(`cannot be read: ${(error as Error).message}`)
  }
}
