/**
 * Reads secrets that systemd gives a service as files (LoadCredential=, LoadCredentialEncrypted=, SetCredential=).
 * Source: systemd.exec(5) "CREDENTIALS". systemd has already decrypted the files; this module reads no other source of
 * secrets.
 */
import { Effect, Option, Redacted } from "effect"
import { open } from "node:fs/promises"
import { join } from "node:path"
import type { Variables } from "./Environment.ts"
import { CredentialNameInvalid, CredentialTooLarge, CredentialUnreadable, SystemdError } from "./SystemdError.ts"

/** Longest credential. Unit: bytes. Source: systemd.exec(5) limits all credentials of a unit to 1 MiB together. */
export const maxCredentialBytes = 1024 * 1024

/** Content of the credential. None when systemd gave no credentials, or none with this name. */
export const readCredential = (
  name: string,
  variables: Variables = process.env
): Effect.Effect<Option.Option<Redacted.Redacted<Uint8Array>>, SystemdError> =>
  Effect.suspend(() => {
    if (!isCredentialName(name)) return fail(new CredentialNameInvalid({ name }))
    const directory = variables["CREDENTIALS_DIRECTORY"] ?? ""
    if (directory === "") return Effect.succeedNone
    return Effect.tryPromise({
      try: () => readBounded(join(directory, name)),
      catch: (cause) => cause as NodeJS.ErrnoException
    }).pipe(
      Effect.flatMap((bytes) =>
        bytes.length > maxCredentialBytes
          ? fail(new CredentialTooLarge({ name, limitBytes: maxCredentialBytes }))
          : Effect.succeedSome(Redacted.make(bytes, { label: name }))
      ),
      Effect.catch((cause) => {
        if (cause instanceof SystemdError) return Effect.fail(cause)
        if (cause.code === "ENOENT") return Effect.succeedNone
        return fail(new CredentialUnreadable({ name, detail: cause.code ?? "unknown" }))
      })
    )
  })

/** The credential as UTF-8 text, without one final line break that editors and `echo` add. */
export const readCredentialText = (
  name: string,
  variables: Variables = process.env
): Effect.Effect<Option.Option<Redacted.Redacted<string>>, SystemdError> =>
  Effect.flatMap(readCredential(name, variables), (found) => {
    if (Option.isNone(found)) return Effect.succeedNone
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(Redacted.value(found.value))
      return Effect.succeedSome(Redacted.make(text.replace(/\r?\n$/, ""), { label: name }))
    } catch {
      return fail(new CredentialUnreadable({ name, detail: "not UTF-8" }))
    }
  })

/** Whether `name` is a single file name, which cannot lead out of the credentials directory. */
export const isCredentialName = (name: string): boolean =>
  name !== "" && name !== "." && name !== ".." && Buffer.byteLength(name) <= 255 && !/[/\0]/.test(name)

/** Reads at most one byte more than the limit, whatever the file's size. */
const readBounded = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, "r")
  try {
    const chunks: Array<Buffer> = []
    let total = 0
    while (total <= maxCredentialBytes) {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(64 * 1024),
        0,
        Math.min(64 * 1024, maxCredentialBytes + 1 - total)
      )
      if (bytesRead === 0) break
      chunks.push(buffer.subarray(0, bytesRead))
      total += bytesRead
    }
    return Buffer.concat(chunks)
  } finally {
    await file.close()
  }
}

const fail = (reason: SystemdError["reason"]) => Effect.fail(new SystemdError({ reason }))
