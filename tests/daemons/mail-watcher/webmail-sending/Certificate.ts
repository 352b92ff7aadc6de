/** A self-signed certificate for 127.0.0.1. */
import { spawnSync } from "node:child_process"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "#support/Postgres.ts"

export const makeCertificate = Effect.gen(function* () {
  const folder = yield* temporaryDirectory()
  const [certificate, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
  const args =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=submission -addext subjectAltName=IP:127.0.0.1"
  const result = spawnSync("openssl", [...args.split(" "), "-keyout", key, "-out", certificate], { encoding: "utf8" })
  if (result.status !== 0) throw new Error(`openssl: ${result.stderr}`)
  return { certificate: readFileSync(certificate, "utf8"), key: readFileSync(key, "utf8") }
})
