// A complete mail server for a test: a real Postfix in front of a real Dovecot 2.3 or 2.4. Both use the shipped files
// of config/postfix and config/dovecot and read the views of mail-admin. The spam filter is a port without a
// listener, unless a test listens there.

import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import { runProgram } from "../RunProgram.ts"
import { makeCertificate } from "./Dovecot.ts"
import * as DovecotPlace from "./DovecotPlace.ts"
import type { DovecotVersion, TokenCheck } from "./DovecotSnippet.ts"
import { availability } from "./install.ts"
import { banner, freePort } from "./Loopback.ts"
import type { MailDatabase } from "./MailDatabase.ts"
import { type StackPlace, writeDovecot, writePostfix } from "./MailStackFiles.ts"
import { PeerError } from "./PeerError.ts"
import { peers } from "./Peers.ts"
import * as Postfix from "./Postfix.ts"
import * as ServerProcess from "./ServerProcess.ts"

export interface MailStackOptions {
  readonly version: DovecotVersion
  /** Database with the migrations of mail-admin: start the suite over it first. */
  readonly mail: MailDatabase
  /** Accepts mail tokens. Default: passwords only. */
  readonly tokens?: TokenCheck
  /** Port of the spam filter on 127.0.0.1. Default: no listener. */
  readonly milterPort?: number
  /** Socket of the policy service, asked by the submission ports. Default: the one of mail-admin. */
  readonly policySocket?: string
  /** Port of an SMTP server on 127.0.0.1 that gets all mail for other domains. Default: such mail bounces. */
  readonly outgoingPort?: number
  /** Additional lines at the end of dovecot.conf and main.cf. The last occurrence of a setting wins. */
  readonly dovecotSettings?: ReadonlyArray<string>
  readonly postfixSettings?: ReadonlyArray<string>
}

export interface MailStack {
  /** IMAP with implicit TLS, in place of port 993. */
  readonly imapsPort: number
  readonly lmtpPort: number
  /** SMTP from other servers, in place of port 25. */
  readonly smtpPort: number
  /** Submission with STARTTLS, in place of port 587. */
  readonly submissionPort: number
  /** Submission with implicit TLS, in place of port 465. */
  readonly smtpsPort: number
  /** Folder with the mail of all mailboxes, in place of /var/mail/vhosts. */
  readonly mailFolder: string
  /** Self-signed certificate for `localhost` and 127.0.0.1, as PEM. */
  readonly certificate: string
  readonly dovecot: ServerProcess.ServerProcess
  readonly postfix: ServerProcess.ServerProcess
  /** Starts Dovecot and Postfix. */
  readonly start: Effect.Effect<void, PeerError>
  readonly stop: Effect.Effect<void>
  /** Number of messages that Postfix has accepted and neither delivered nor bounced. */
  readonly queueCount: Effect.Effect<number>
  /** Runs `doveadm` with these arguments. Returns its output. */
  readonly doveadm: (...words: ReadonlyArray<string>) => Effect.Effect<string, PeerError>
  /** Logs of Dovecot and Postfix. */
  readonly log: () => string
}

/** User id that owns all mail. Above Debian's system users, below ids that a container may not map. */
const mailUid = 20_000

/** Starts a mail server; it ends with the scope. */
export const make = (options: MailStackOptions): Effect.Effect<MailStack, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const found = availability("postfix")
    if (!found.available)
      return yield* new PeerError({ peer: "postfix", reason: "NotInstalled", message: found.reason })
    const place = yield* DovecotPlace.make(options.version)
    const { folder, inside } = place
    chmodSync(folder, 0o755)
    const root = peers[DovecotPlace.peerOf(options.version)].newer?.folder ?? ""
    const { password, postfixDir, socketDir } = options.mail
    const at: StackPlace = {
      version: options.version,
      folder,
      inside,
      socketInside: socketDir.startsWith(`${root}/`) ? socketDir.slice(root.length) : socketDir,
      password,
      uid: mailUid,
      imapsPort: yield* freePort,
      lmtpPort: yield* freePort,
      smtpPort: yield* freePort,
      submissionPort: yield* freePort,
      smtpsPort: yield* freePort,
      milterPort: options.milterPort ?? (yield* freePort),
      policySocket: options.policySocket ?? `${postfixDir}/policy`,
      lookupSocket: `${postfixDir}/lookups`,
      outgoingPort: options.outgoingPort,
      tokens: options.tokens,
      dovecotSettings: options.dovecotSettings ?? [],
      postfixSettings: options.postfixSettings ?? []
    }
    const pem = { certificate: `${folder}/cert.pem`, key: `${folder}/key.pem` }
    yield* Postfix.makeFolders(folder)
    const config = yield* Effect.try({
      try: () => {
        makeCertificate(pem)
        mkdirSync(`${folder}/vhosts`)
        chownSync(`${folder}/vhosts`, at.uid, at.uid)
        writePostfix(at)
        return writeDovecot(at)
      },
      catch: (error) => new PeerError({ peer: "mail stack", reason: "NotReady", message: String(error) })
    })

    const read = (name: string) => (existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, "utf8") : "")
    const dovecot = yield* ServerProcess.make({
      peer: "dovecot",
      ...place.command("dovecot", ["-F", "-c", config]),
      cwd: folder,
      isReady: async () =>
        (await banner(at.lmtpPort))?.startsWith("220") === true && existsSync(`${folder}/queue/private/auth`),
      log: () => read("dovecot.log")
    })
    const postfix = yield* ServerProcess.make({
      peer: "postfix",
      command: Postfix.master,
      args: ["-c", `${folder}/etc`, "-s"],
      cwd: folder,
      isReady: async () => (await banner(at.smtpPort))?.startsWith("220") === true,
      log: () => read("postfix.log")
    })

    return {
      imapsPort: at.imapsPort,
      lmtpPort: at.lmtpPort,
      smtpPort: at.smtpPort,
      submissionPort: at.submissionPort,
      smtpsPort: at.smtpsPort,
      mailFolder: `${folder}/vhosts`,
      certificate: readFileSync(pem.certificate, "utf8"),
      dovecot,
      postfix,
      start: Effect.andThen(dovecot.start, postfix.start),
      stop: Effect.andThen(postfix.stop, dovecot.stop),
      queueCount: Effect.sync(() => Postfix.countQueue(folder)),
      doveadm: (...words) =>
        Effect.gen(function* () {
          const call = place.command("doveadm", ["-c", config, ...words])
          const done = yield* runProgram(call.command, call.args)
          return yield* done.status === 0
            ? Effect.succeed(done.stdout)
            : Effect.fail(
                new PeerError({
                  peer: "dovecot",
                  reason: "CommandFailed",
                  message: `doveadm ${words[0]}: ${done.stderr}`
                })
              )
        }),
      log: () => read("dovecot.log") + read("postfix.log")
    }
  })
