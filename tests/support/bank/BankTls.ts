/** TLS of a bank double: a certificate for 127.0.0.1 that this process trusts until the end of the scope. */
import { spawnSync } from "node:child_process"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import type { ServerTls } from "../HttpDouble.ts"
import { temporaryDirectory } from "../Postgres.ts"
import { BankDouble, type BankDoubleOptions } from "./BankDouble.ts"

/** Certificate and key; the process trusts the certificate until the end of the scope. */
export const bankTls = Effect.gen(function* () {
  const folder = yield* temporaryDirectory()
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  const args =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=bank -addext subjectAltName=IP:127.0.0.1"
  const made = spawnSync("openssl", [...args.split(" "), "-keyout", key, "-out", certificate], { encoding: "utf8" })
  if (made.status !== 0) throw new Error(`openssl: ${made.stderr}`)
  const tls: ServerTls = { cert: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const before = getCACertificates("default")
      setDefaultCACertificates([...before, tls.cert])
      return before
    }),
    (before) => Effect.sync(() => setDefaultCACertificates(before))
  )
  return tls
})

/** Environment of daemons that may reach bank doubles. */
export const bankEnv = { SIGNALBOX_BANK_ALLOW_CIDRS: "127.0.0.1/32" }

/** A bank that listens with TLS, and its address. */
export const startBank = Effect.fnUntraced(function* (options: Omit<BankDoubleOptions, "tls"> = {}) {
  const bank = new BankDouble({ ...options, tls: yield* bankTls })
  const url = yield* Effect.acquireRelease(
    Effect.promise(() => bank.start()),
    () => Effect.promise(() => bank.stop())
  )
  return { bank, url }
})
