import { readFileSync } from "node:fs"
import { createSecureContext, rootCertificates, type SecureContext } from "node:tls"
import type { TrustSettings } from "./Settings.ts"

/**
 * For all connections of a service: trusts the public certificates and the operator's own. Made once, because to read the public ones
 * takes some 20 ms, and a context of its own costs each connection about 20 KB.
 */
export const secureContextOf = ({ mailCa }: TrustSettings): SecureContext =>
  createSecureContext(mailCa === undefined ? {} : { ca: [...rootCertificates, readFileSync(mailCa, "utf8")] })
