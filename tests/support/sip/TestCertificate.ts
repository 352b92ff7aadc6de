/** A certificate from a test's own authority, as files for servers and phones. */
import { execFileSync } from "node:child_process"
import { Effect } from "effect"
import { join } from "node:path"
import { scratchFolder } from "../peers/Loopback.ts"

export interface TestCertificate {
  /** Certificate of the authority, for clients that must trust it. */
  readonly authorityFile: string
  readonly certificateFile: string
  readonly keyFile: string
}

/** Creates a certificate. `names`: in openssl's syntax of subjectAltName. */
export const makeCertificateFor = Effect.fnUntraced(function* (names: string) {
  const folder = yield* scratchFolder("certificate")
  const file = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"]
  openssl("req", "-x509", ...fresh, "-subj", "/CN=test authority", "-keyout", "authority.key", "-out", "authority.pem")
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-subj",
    "/CN=localhost",
    "-addext",
    `subjectAltName=${names}`,
    "-addext",
    "basicConstraints=critical,CA:FALSE",
    "-CA",
    "authority.pem",
    "-CAkey",
    "authority.key",
    "-keyout",
    "key.pem",
    "-out",
    "certificate.pem"
  )
  return {
    authorityFile: file("authority.pem"),
    certificateFile: file("certificate.pem"),
    keyFile: file("key.pem")
  } satisfies TestCertificate
})

/** Certificate for localhost and 127.0.0.1. */
export const makeCertificate = makeCertificateFor("DNS:localhost,IP:127.0.0.1")
