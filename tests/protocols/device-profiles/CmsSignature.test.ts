/** Signatures of profiles, verified by openssl. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { signed } from "#protocols/device-profiles/CmsSignature.ts"
import { signerOf } from "#protocols/device-profiles/Signer.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cms-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const openssl = (...args: ReadonlyArray<string>) => spawnSync("openssl", args, { cwd: folder, encoding: "buffer" })

/** An authority, and a certificate that it has issued, with keys of this kind. */
const issued = (kind: "rsa" | "ec") => {
  const key = kind === "rsa" ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
  const made = [
    openssl(
      ..."req -x509 -nodes -days 30 -subj /CN=Test_authority -keyout ca.key -out ca.pem -newkey".split(" "),
      ...key
    ).status,
    openssl(..."req -nodes -subj /CN=profiles.example.org -keyout own.key -out own.csr -newkey".split(" "), ...key)
      .status,
    openssl(..."x509 -req -in own.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out own.pem".split(" ")).status
  ]
  expect(made).toEqual([0, 0, 0])
  const read = (name: string) => readFileSync(join(folder, name), "utf8")
  return { chain: read("own.pem") + read("ca.pem"), key: read("own.key") }
}

const verified = (bytes: Uint8Array) => {
  writeFileSync(join(folder, "signed.der"), bytes)
  return openssl("cms", "-verify", "-in", "signed.der", "-inform", "DER", "-CAfile", "ca.pem", "-purpose", "any")
}

describe("signatures of profiles", () => {
  for (const kind of ["rsa", "ec"] as const) {
    it(`by ${kind} are accepted by openssl, with the content inside, and refused after a change`, () => {
      const { chain, key } = issued(kind)
      const content = Buffer.from("<?xml version='1.0'?>\n<plist>Müller</plist>\n")
      const bytes = signed(content, Result.getOrThrow(signerOf(chain, key)), new Date())
      const found = verified(bytes)
      expect(found.stderr.toString()).toContain("successful")
      expect(found.stdout.equals(content)).toBe(true)
      const at = bytes.indexOf("Müller")
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ 1
      expect(verified(changed).status).not.toBe(0)
    })
  }

  it("need a certificate and its own key", () => {
    const { chain, key } = issued("ec")
    const reason = (certificates: string, pem: string) =>
      Result.match(signerOf(certificates, pem), { onSuccess: () => "success", onFailure: ({ reason }) => reason._tag })
    expect(reason(chain, key)).toBe("success")
    expect(reason("none", key)).toBe("BadCertificate")
    expect(reason("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", key)).toBe("BadCertificate")
    expect(reason(chain, "none")).toBe("BadKey")
    expect(reason(chain, issued("ec").key)).toBe("BadKey")
  })
})
