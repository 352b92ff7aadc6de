/**
 * TOTP codes of authenticator apps: creates secrets and setup links, and verifies codes. Pure except for random
 * secrets; the caller stores the step of the last accepted code. Source: RFC 6238, RFC 4226; for the link the Key Uri
 * Format of the google-authenticator project.
 */
import { Duration, Redacted } from "effect"
import { HOTP, Secret, TOTP } from "otpauth"
import { timingSafeEqual } from "node:crypto"

/** Length of a secret. Unit: bytes. Source: RFC 4226 §4, R6 (recommends 160 bits). */
export const secretBytes = 20

/** Length of a code. Unit: digits. Reason: the length that every app shows. */
export const digits = 6

/** Time step of a code. Source: RFC 6238 §5.2. */
export const step = Duration.seconds(30)

/**
 * Accepted steps before and after the current one. Source: RFC 6238 §5.2 (one, for typing time and clock differences).
 */
export const tolerance = 1

/** Hash algorithm. Source: RFC 6238 §1.2; many apps support no other. */
const algorithm = "SHA1"

/** Creates a secret, in base32. */
export const newSecret = (): Redacted.Redacted =>
  Redacted.make(new Secret({ size: secretBytes }).base32, { label: "TOTP secret" })

/** The link that an app reads from a QR code: `otpauth://totp/…`. It contains the secret. */
export const uri = (options: {
  readonly secret: Redacted.Redacted
  /** Name of the service, shown by the app. */
  readonly issuer: string
  /** Sign-in address of the user, shown by the app. */
  readonly account: string
}): Redacted.Redacted => {
  // A colon separates issuer and account in the label, so neither may contain one.
  const issuer = options.issuer.replaceAll(":", " ")
  const label = options.account.replaceAll(":", " ")
  const secret = Secret.fromBase32(Redacted.value(options.secret))
  return Redacted.make(
    new TOTP({ issuer, label, secret, algorithm, digits, period: Duration.toSeconds(step) }).toString(),
    { label: "TOTP link" }
  )
}

/**
 * Verifies a code. Returns its time step, to be stored as the new `lastStep`. Undefined when the code is wrong, or when
 * this step or a later one was already accepted (RFC 6238 §5.2: a code is valid once). `now`: epoch milliseconds.
 * Spaces between the digits are ignored.
 *
 * Two concurrent sign-ins with the same code both see the old `lastStep`, so store the new one only if it is still
 * lower.
 */
export const check = (
  code: string,
  secret: Redacted.Redacted,
  now: number,
  lastStep: number | undefined
): number | undefined => {
  const typed = code.replace(/\s/g, "")
  if (!/^[0-9]{6}$/.test(typed)) return undefined
  const key = Secret.fromBase32(Redacted.value(secret))
  const present = Math.floor(now / Duration.toMillis(step))
  const good = Array.from({ length: 2 * tolerance + 1 }, (_, index) => present - tolerance + index).filter(
    (counter) => {
      const expected = HOTP.generate({ secret: key, counter, algorithm, digits })
      return timingSafeEqual(Buffer.from(expected), Buffer.from(typed)) && counter > (lastStep ?? -1)
    }
  )
  return good[0]
}
