// Two third-party mail programs. mbsync downloads a mailbox over IMAP with a password. mutt reports the parent of a
// message in a thread.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { runProgram } from "../RunProgram.ts"
import { requirePeer } from "./install.ts"
import { scratchFolder } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import type { PeerName } from "./Peers.ts"

/** Longest time of a run. Unit: milliseconds. Reason: after an unexpected result mutt waits for a key. */
const timeout = 15_000

export interface MailboxAt {
  /** IMAP port with implicit TLS, at `localhost`. */
  readonly port: number
  /** Trusted certificate, as PEM. */
  readonly certificate: string
  readonly user: string
  readonly password: string
}

/** Downloads all folders. Returns a directory with one Maildir per folder; it is removed at scope end. */
export const download = Effect.fnUntraced(function* (
  mailbox: MailboxAt
): Effect.fn.Return<string, PeerError, Scope.Scope> {
  const program = yield* programOf("isync")
  const folder = yield* scratchFolder("mbsync")
  mkdirSync(`${folder}/mail`)
  writeFileSync(`${folder}/cert.pem`, mailbox.certificate)
  writeFileSync(`${folder}/mbsyncrc`, mbsyncrc(folder, mailbox), { mode: 0o600 })
  const done = yield* runProgram(program, ["-c", `${folder}/mbsyncrc`, "-a"], { timeout })
  if (done.status !== 0) return yield* failed("isync", done.stdout + done.stderr)
  return `${folder}/mail`
})

const mbsyncrc = (folder: string, { password, port, user }: MailboxAt): string => `
IMAPAccount there
Host localhost
Port ${port}
User ${user}
Pass "${password}"
AuthMechs LOGIN
SSLType IMAPS
SystemCertificates no
CertificateFile ${folder}/cert.pem

IMAPStore there
Account there

MaildirStore here
Path ${folder}/mail/
Inbox ${folder}/mail/INBOX
SubFolders Verbatim

Channel all
Far :there:
Near :here:
Patterns *
Sync Pull
Create Near
SyncState *
`

/**
 * Raw message that mutt shows as the parent of message `id` in a Maildir; undefined when there is no parent. mutt
 * threads by reference headers only, not by subject.
 */
export const parentOf = Effect.fnUntraced(function* (
  maildir: string,
  id: string
): Effect.fn.Return<string | undefined, PeerError, Scope.Scope> {
  const program = yield* programOf("mutt")
  const folder = yield* scratchFolder("mutt")
  writeFileSync(`${folder}/muttrc`, muttrc(folder, id))
  // mutt needs a terminal.
  yield* runProgram(
    "script",
    ["-qec", `stty rows 50 cols 150; ${program} -n -F ${folder}/muttrc -f ${maildir}`, "/dev/null"],
    { timeout, env: { ...process.env, HOME: folder, TERM: "vt100", LC_ALL: "C.UTF-8" } }
  )
  const [self, parent] = ["self", "parent"].map((name) =>
    existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, "utf8") : ""
  )
  if (!self!.includes(id)) return yield* failed("mutt", `no message ${id} in ${maildir}`)
  // mutt stays on the message when it has no parent.
  return parent === self ? undefined : parent
})

const muttrc = (folder: string, id: string): string => `
set folder=${folder}
set sort=threads
set strict_threads=yes
set wait_key=no
set pipe_decode=no
set quit=yes
set header_cache=""
push "<search>~i ${id.replace(/[<>]/g, "")}<enter><pipe-message>cat > ${folder}/self<enter><parent-message><pipe-message>cat > ${folder}/parent<enter><exit>"
`

const programOf = (name: PeerName): Effect.Effect<string, PeerError> => {
  const found = requirePeer(name)
  return found.available
    ? Effect.succeed(found.path)
    : Effect.fail(new PeerError({ peer: name, reason: "NotInstalled", message: found.reason }))
}

const failed = (peer: PeerName, message: string) =>
  Effect.fail(new PeerError({ peer, reason: "CommandFailed", message }))
