/**
 * Reads the certificates and the private key that sign configuration profiles. Apart from CmsSignature.ts, which needs
 * a large library.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { Result } from "effect"
import { badCertificate, badKey, type DeviceProfilesError } from "./DeviceProfilesError.ts"

/** Certificates and private key that sign profiles. */
export interface Signer {
  /** Certificates in DER form: first the signer's own, then those of the authorities that issued it. */
  readonly chain: ReadonlyArray<Buffer>
  readonly key: KeyObject
}

/** Reads certificates and an unencrypted private key from PEM text. The signer's own certificate must come first. */
export const signerOf = (certificates: string, privateKey: string): Result.Result<Signer, DeviceProfilesError> => {
  const pems = certificates.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
  if (pems === null) return Result.fail(badCertificate("there is no certificate in PEM form"))
  let key: KeyObject
  try {
    key = createPrivateKey(privateKey)
  } catch {
    return Result.fail(badKey("it is not a private key in PEM form without password"))
  }
  if (key.asymmetricKeyType !== "rsa" && key.asymmetricKeyType !== "ec")
    return Result.fail(badKey("only RSA and elliptic curves can sign a profile"))
  try {
    const chain = pems.map((pem) => new X509Certificate(pem))
    if (!chain[0]!.checkPrivateKey(key)) return Result.fail(badKey("it does not belong to the first certificate"))
    return Result.succeed({ chain: chain.map(({ raw }) => raw), key })
  } catch {
    return Result.fail(badCertificate("a certificate cannot be read"))
  }
}
