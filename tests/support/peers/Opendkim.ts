// Verifies DKIM signatures with OpenDKIM, an independent implementation. It uses the given DNS records and queries no
// name server.

import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { Effect } from "effect"
import { requirePeer } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"

export type Judgement =
  | { readonly _tag: "NotSigned" }
  /** Domain and selector of the signature. */
  | { readonly _tag: "Good"; readonly domain: string; readonly selector: string }
  /** `why`: reason in OpenDKIM's words. */
  | { readonly _tag: "Bad"; readonly domain: string; readonly selector: string; readonly why: string }

/** Longest time of a verification. Unit: milliseconds. */
const timeout = 30_000

/** Verifies a message with CRLF line ends. `records`: TXT record by name, such as `mail._domainkey.example.org`. */
export const judge = (raw: string, records: Readonly<Record<string, string>>): Effect.Effect<Judgement, PeerError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const found = requirePeer("opendkim")
      if (!found.available)
        return yield* new PeerError({ peer: "opendkim", reason: "NotInstalled", message: found.reason })
      const folder = yield* scratchFolder("opendkim")
      writeFileSync(
        `${folder}/records`,
        Object.entries(records)
          .map(([name, text]) => `${name} ${text}\n`)
          .join("")
      )
      writeFileSync(`${folder}/opendkim.conf`, `TestPublicKeys ${folder}/records\nMode v\n`)
      writeFileSync(`${folder}/message`, raw)
      const said = yield* Effect.promise(() =>
        run(found.path, ["-x", `${folder}/opendkim.conf`, "-t", `${folder}/message`])
      )
      const judgement = read(said)
      return (
        judgement ?? (yield* new PeerError({ peer: "opendkim", reason: "CommandFailed", message: `it said: ${said}` }))
      )
    })
  )

const read = (said: string): Judgement | undefined => {
  if (said.includes("message not signed")) return { _tag: "NotSigned" }
  const [, selector, domain, verdict] =
    /verification \(s=([^\s,]+),? d=([^\s,]+),[^)]*\) (succeeded|failed: .*)/.exec(said) ?? []
  if (selector === undefined || domain === undefined || verdict === undefined) return undefined
  return verdict === "succeeded"
    ? { _tag: "Good", domain, selector }
    : { _tag: "Bad", domain, selector, why: verdict.slice("failed: ".length) }
}

const run = (path: string, args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(path, args, { timeout, stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    const keep = (chunk: Buffer) => void (output += chunk.toString())
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.once("error", reject)
    child.once("close", () => resolve(output))
  })
