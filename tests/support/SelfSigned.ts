import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Creates a self-signed certificate for the DNS name `name`, valid for a day. Returns both as PEM. */
export const selfSigned = (name: string): { readonly key: string; readonly cert: string } => {
  const folder = mkdtempSync(join(tmpdir(), "self-signed-"))
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -keyout key -out cert`
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`]
  try {
    execFileSync("openssl", [...request.split(" "), ...subject], { cwd: folder, stdio: "pipe" })
    const read = (file: string) => readFileSync(join(folder, file), "utf8")
    return { key: read("key"), cert: read("cert") }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
