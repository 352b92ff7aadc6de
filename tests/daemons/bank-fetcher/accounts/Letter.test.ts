/** The INI and HIA letters, read back by pdftotext, against hashes that openssl calculates. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { type KeyObject, X509Certificate } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { refusal } from "../Fetcher.ts"
import { BankSite, place } from "./BankSite.ts"

/** Text of the pages of a PDF, with the layout of the page. */
const pagesOf = (pdf: Uint8Array): ReadonlyArray<string> => {
  const folder = mkdtempSync(join(tmpdir(), "letter-"))
  try {
    writeFileSync(join(folder, "letter.pdf"), pdf)
    const text = execFileSync("pdftotext", ["-layout", join(folder, "letter.pdf"), "-"], { encoding: "utf8" })
    return text.split("\f").filter((page) => page.trim() !== "")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs openssl with `input` on standard input. */
const openssl = (input: string | Buffer, ...args: ReadonlyArray<string>): string =>
  execFileSync("openssl", [...args], { input, encoding: "utf8" })

/** Modulus of a public key by openssl, upper-case hexadecimal digits. */
const modulusOf = (key: KeyObject): string =>
  openssl(key.export({ type: "spki", format: "pem" }), "rsa", "-pubin", "-noout", "-modulus")
    .trim()
    .split("=")[1]!

const sha256 = (input: string | Buffer): string => openssl(input, "dgst", "-sha256", "-r").split(" ")[0]!.toUpperCase()

/** Lines of 16 bytes, as banks print them. */
const lines = (hex: string): ReadonlyArray<string> =>
  (hex.match(/.{1,32}/g) ?? []).map((line) => (line.match(/../g) ?? []).join(" "))

describePeers(["pdftotext"], "letters", () => {
  describe("letters", () => {
    layer(BankSite.layer, { excludeTestServices: true })((it) => {
      it.effect.each([
        ["H004", 2048, "en"],
        ["H004", 4096, "de"],
        ["H005", 2048, "de"]
      ] as const)(
        "for %s with %i bits contain exactly the keys that the bank has, in %s",
        Effect.fnUntraced(function* ([version, bits, lang]) {
          const { account, base, own, step, user } = yield* place({
            ebics_version: version,
            key_bits: bits,
            holder: "Grüße & Łódź GmbH",
            bic: "cobadeffxxx"
          })
          const letter = Effect.promise(() =>
            fetch(`${base("bank-fetcher")}/api/v1/crm/ebics/${own}/keys/ini-letter?lang=${lang}`, {
              headers: { authorization: "Bearer user:31:ebics.view" }
            })
          )
          yield* step("init")
          expect((yield* letter).status).toBe(409)
          yield* step("ini")
          yield* step("hia")
          const answer = yield* letter
          expect(answer.headers.get("content-type")).toBe("application/pdf")
          const pages = pagesOf(new Uint8Array(yield* Effect.promise(() => answer.arrayBuffer())))
          expect(pages).toHaveLength(3)
          const { authentication, encryption, signature } = user.keys
          const sent = [
            ["A006", signature!, user.certificates.signature],
            ["X002", authentication!, user.certificates.authentication],
            ["E002", encryption!, user.certificates.encryption]
          ] as const
          sent.forEach(([name, key, certificate], index) => {
            const page = pages[index]!
            const found = page.split("\n").map((line) => line.trim())
            const modulus = modulusOf(key)
            if (version === "H004") {
              const hash = sha256(`10001 ${modulus.toLowerCase()}`)
              for (const block of [["01 00 01"], lines(modulus), lines(hash)])
                expect(found.join("\n")).toContain(`\n${block.join("\n")}\n`)
              expect(page).toContain(`(${bits} bit)`)
            } else {
              const pem = new X509Certificate(certificate!).toString().trim().split("\n")
              const der = Buffer.from(certificate!)
              for (const block of [pem, lines(sha256(der))])
                expect(found.join("\n")).toContain(`\n${block.join("\n")}\n`)
              expect(found).not.toContain("01 00 01")
            }
            for (const text of ["EBIXHOST", "PARTNER", account.user_id, "COBADEFFXXX", `${name} (`, "Grüße & "])
              expect(page).toContain(text)
            const words =
              lang === "de"
                ? ["Teilnehmer-ID", "Unterschrift", "Ort, Datum", index === 0 ? "brief (INI)" : "brief (HIA)"]
                : ["User ID", "Signature", "Place, date", index === 0 ? "letter (INI)" : "letter (HIA)"]
            for (const word of words) expect(page).toContain(word)
          })
          expect(refusal(yield* step("bank/refresh"))).toEqual([409, "wrong_step"])
        }),
        // It makes three RSA keys. One of 4,096 bits may take ten seconds on a busy machine.
        120_000
      )
    })
  })
})
