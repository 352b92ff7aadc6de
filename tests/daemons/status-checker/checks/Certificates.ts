/** An authority of a test's own, and certificates by it for localhost that hold for as long as wanted. */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scratchFolder } from "#support/peers/Loopback.ts"

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** `certificate`: `days` may be negative, and it has expired then. */
export const makeAuthority = Effect.gen(function* () {
  const folder = yield* scratchFolder("authority")
  const openssl = (...args: ReadonlyArray<string>) => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" })
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-days",
    "60",
    "-subj",
    "/CN=test authority",
    "-keyout",
    "authority.key",
    "-out",
    "authority.pem"
  )
  let count = 0
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  return {
    authority: read("authority.pem"),
    authorityFile: join(folder, "authority.pem"),
    certificate: (days: number): Certificate => {
      const name = `c${++count}`
      writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost\nbasicConstraints=critical,CA:FALSE\n")
      openssl("req", ...fresh, "-subj", "/CN=localhost", "-keyout", `${name}.key`, "-out", `${name}.csr`)
      openssl(
        "x509",
        "-req",
        "-in",
        `${name}.csr`,
        "-CA",
        "authority.pem",
        "-CAkey",
        "authority.key",
        "-days",
        String(days),
        "-extfile",
        "names",
        "-out",
        `${name}.pem`
      )
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
    }
  }
})
