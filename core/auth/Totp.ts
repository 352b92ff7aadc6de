/**
 * Codes of an authenticator app: new secrets, the link an app reads, and whether a code is good. Pure but for the
 * random secret; who calls keeps the step of the last accepted code. Source: RFC 6238, RFC 4226; the link: Key Uri
 * Format of the google-authenticator project.
 */
import { Duration, Redacted } from "effect"
import { HOTP, Secret, TOTP } from "otpauth"
import { timingSafeEqual } from "node:crypto"

/** Unit: bytes. Source: RFC 4226 §4, R6 (160 bits are recommended). */
export const secretBytes = 20

/** Length of a code. Unit: digits. Reason: what every app shows. */
export const digits = 6

/** How long one code is shown. Source: RFC 6238 §5.2. */
export const step = Duration.seconds(30)

/**
 * Steps before and after the present one that are good too. Source: RFC 6238 §5.2 (one, for typing and for clocks that
 * differ).
 */
export const tolerance = 1

/** What apps agree on. Source: RFC 6238 §1.2; many apps know no other. */
const algorithm = "SHA1"

/** A new secret in base32. */
export const newSecret = (): Redacted.Redacted =>
  Redacted.make(new Secret({ size: secretBytes }).base32, { label: "TOTP secret" })

/** The link that an app reads from a QR code: `otpauth://totp/…`. It holds the secret. */
export const uri = (options: {
  readonly secret: Redacted.Redacted
  /** Whom the account is with, shown by the app. */
  readonly issuer: string
  /** The address somebody signs in with, shown by the app. */
  readonly account: string
}): Redacted.Redacted => {
  // A colon parts issuer and account in the label.
  const issuer = options.issuer.replaceAll(":", " ")
  const label = options.account.replaceAll(":", " ")
  const secret = Secret.fromBase32(Redacted.value(options.secret))
  return Redacted.make(
    new TOTP({ issuer, label, secret, algorithm, digits, period: Duration.toSeconds(step) }).toString(),
    { label: "TOTP link" }
  )
}

/**
 * The step of a good code, to be kept as the new `lastStep`; undefined when it is not good, or when its step or a later
 * one was accepted before (RFC 6238 §5.2: a code is good once). `now`: milliseconds since 1970. Spaces among the digits
 * are let pass.
 *
 * Two sign-ins with one code at the same time both see the old `lastStep`: write the new one on condition that it is
 * still lower.
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
