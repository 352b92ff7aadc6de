import { readFileSync } from "node:fs"
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls"
import type { TrustSettings } from "./Settings.ts"

/**
 * Trusts the public certificates and the operator's file. Callers keep the context: reading the certificates takes 20
 * ms, and a context per connection costs 20 KB.
 */
export const secureContextOf = ({ mailCa }: TrustSettings): SecureContext =>
  createSecureContext(mailCa === undefined ? {} : { ca: [...rootCertificates, readFileSync(mailCa, "utf8")] })
