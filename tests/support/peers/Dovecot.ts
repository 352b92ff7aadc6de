// A real Dovecot for a test: IMAP and LMTP on its own loopback ports, all files in its own folder.

import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { Effect, type Scope } from "effect"
import * as RawSmtp from "../RawSmtp.ts"
import { runProgram } from "../RunProgram.ts"
import { type DovecotSettings, type DovecotUser, homeOf, passwdFile, paths } from "./DovecotConfig.ts"
import * as DovecotPlace from "./DovecotPlace.ts"
import { type DovecotVersion, installPush, installSnippet, type PushTarget, type TokenCheck } from "./DovecotSnippet.ts"
import { banner, freePort, poll } from "./Loopback.ts"
import { PeerError } from "./PeerError.ts"
import * as ServerProcess from "./ServerProcess.ts"

export type { DovecotUser } from "./DovecotConfig.ts"

export interface DovecotOptions {
  readonly users: ReadonlyArray<DovecotUser>
  /**
   * STARTTLS on `imapPort` and implicit TLS on `imapsPort`, with a certificate for `localhost` and 127.0.0.1. Default
   * false.
   */
  readonly tls?: boolean
  /** Whether IDLE is advertised. Default true. */
  readonly idle?: boolean
  /** Whether failed logins are delayed by 4 to 15 s, as on a production host. Default false. */
  readonly failurePenalty?: boolean
  /** Default 2.3, from this machine's Debian. 2.4 is the peer `dovecot24`. */
  readonly version?: DovecotVersion
  /** Accepts tokens (XOAUTH2, OAUTHBEARER) with the files of config/dovecot. Default: passwords only. */
  readonly tokens?: TokenCheck
  /** Pushes mailbox changes, with the files of config/dovecot. Default: no push. */
  readonly push?: PushTarget
  /** Additional configuration lines at the end. The last occurrence of a setting wins. */
  readonly settings?: ReadonlyArray<string>
}

export interface Dovecot {
  readonly imapPort: number
  /** Port with implicit TLS; set only with `tls`. */
  readonly imapsPort: number | undefined
  readonly lmtpPort: number
  /** Self-signed certificate as PEM, which clients must trust; set only with `tls`. */
  readonly certificate: string | undefined
  /** Unix socket of the auth service, for `smtpd_sasl_path` of Postfix. */
  readonly submissionAuthSocket: string
  readonly start: Effect.Effect<void, PeerError>
  /** Stops the server with SIGTERM, which takes 2 to 3 s. */
  readonly stop: Effect.Effect<void>
  readonly kill9: Effect.Effect<void>
  readonly restart: Effect.Effect<void, PeerError>
  /** Delivers one raw message by LMTP, like a mail server. Returns when Dovecot has stored it. */
  readonly deliver: (address: string, rawMessage: string) => Effect.Effect<void, PeerError>
  /** Deletes the mailbox and cuts its sessions. The next session finds it empty, with a higher UIDVALIDITY. */
  readonly resetMailbox: (address: string) => Effect.Effect<void, PeerError>
  /** Cuts all IMAP sessions of this user (`doveadm kick`). */
  readonly kick: (address: string) => Effect.Effect<void, PeerError>
  /** Number of current IMAP sessions of this user (`doveadm who`). */
  readonly sessions: (address: string) => Effect.Effect<number, PeerError>
  /** Returns when only the new password works, within about a second. */
  readonly setPassword: (address: string, password: string) => Effect.Effect<void, PeerError>
  /** Returns when the user can sign in and receive mail, within about a second. */
  readonly addUser: (user: DovecotUser) => Effect.Effect<void, PeerError>
  readonly log: () => string
}

/**
 * Range of user ids for mail, drawn per instance. They lie above Debian's system users (below 1,000) and below ids that
 * a container may not map (above 65,535).
 */
const firstMailUid = 20_000
const mailUids = 40_000
/** Longest time until Dovecot notices a changed user. Unit: milliseconds. Reason: it takes about a second when idle. */
const userTimeout = 10_000

/** Starts a Dovecot; it ends with the scope. */
export const make = (options: DovecotOptions): Effect.Effect<Dovecot, PeerError, Scope.Scope> =>
  Effect.gen(function* () {
    const version = options.version ?? "2.3"
    const place = yield* DovecotPlace.make(version)
    const { folder, inside } = place
    const { push, tokens } = options
    const install = (write: () => string) => Effect.try({ try: write, catch: (error) => failed(String(error)) })
    chmodSync(folder, 0o755)
    const settings: DovecotSettings = {
      folder: inside,
      imapPort: yield* freePort,
      imapsPort: options.tls === true ? yield* freePort : undefined,
      lmtpPort: yield* freePort,
      idle: options.idle ?? true,
      firstUid: firstMailUid + Math.floor(Math.random() * mailUids),
      failurePenalty: options.failurePenalty ?? false,
      include: [
        ...(tokens === undefined ? [] : [yield* install(() => installSnippet(version, folder, inside, tokens))]),
        ...(push === undefined ? [] : [yield* install(() => installPush(version, folder, inside, push))]),
        ...(options.settings ?? []).map((line) => `${line}\n`)
      ].join("")
    }
    const at = paths(folder)
    const users = userFile(place, settings.firstUid, options.users)
    mkdirSync(at.homes)
    if (settings.imapsPort !== undefined)
      yield* Effect.try({ try: () => makeCertificate(at), catch: (error) => failed(String(error)) })
    writeFileSync(at.config, place.config(settings))
    users.write()

    const log = () => (existsSync(at.log) ? readFileSync(at.log, "utf8") : "")
    const server = yield* ServerProcess.make({
      peer: "dovecot",
      ...place.command("dovecot", ["-F", "-c", paths(inside).config]),
      cwd: folder,
      isReady: async () =>
        (await banner(settings.imapPort))?.startsWith("* OK") === true &&
        (await banner(settings.lmtpPort))?.startsWith("220") === true,
      log
    })

    const doveadm = (args: ReadonlyArray<string>) => {
      const call = place.command("doveadm", ["-c", paths(inside).config, ...args])
      return runProgram(call.command, call.args)
    }

    const kick = (address: string) =>
      Effect.flatMap(doveadm(["kick", address]), (result) => {
        // Exit code 68 (EX_NOHOST): the user has no session.
        return result.status === 0 || result.status === 68
          ? Effect.void
          : Effect.fail(failed(`doveadm kick: ${result.stderr}`))
      })

    const sessions = (address: string) =>
      Effect.flatMap(doveadm(["-f", "tab", "who", "-1", address]), (result) =>
        result.status === 0
          ? Effect.succeed(result.stdout.split("\n").filter((line) => line.startsWith(`${address}\t`)).length)
          : Effect.fail(failed(`doveadm who: ${result.stderr}`))
      )

    // Dovecot checks the user file at most once a second.
    const setUser = (user: DovecotUser) =>
      Effect.promise(async () => {
        users.set(user)
        return poll(
          async () => {
            const { status } = await Effect.runPromise(doveadm(["auth", "test", user.address, user.password]))
            return status === 0 ? true : undefined
          },
          userTimeout,
          100
        )
      }).pipe(
        Effect.flatMap((known) =>
          known === true ? Effect.void : Effect.fail(failed(`${user.address} cannot sign in`))
        )
      )

    return {
      imapPort: settings.imapPort,
      imapsPort: settings.imapsPort,
      lmtpPort: settings.lmtpPort,
      certificate: settings.imapsPort === undefined ? undefined : readFileSync(at.certificate, "utf8"),
      submissionAuthSocket: at.authSocket,
      start: server.start,
      stop: server.stop,
      kill9: server.kill9,
      restart: server.restart,
      deliver: (address, rawMessage) => deliver(settings.lmtpPort, address, rawMessage),
      resetMailbox: (address) => Effect.andThen(emptyMailbox(`${homeOf(folder, address)}/Maildir`), kick(address)),
      kick,
      sessions,
      setPassword: (address, password) => setUser({ address, password }),
      addUser: setUser,
      log
    }
  })

const failed = (message: string) => new PeerError({ peer: "dovecot", reason: "CommandFailed", message })

const userFile = (place: DovecotPlace.DovecotPlace, firstUid: number, initial: ReadonlyArray<DovecotUser>) => {
  let users = initial
  // Dovecot reads the file again when its mtime (whole seconds) changes, so each write advances the mtime by one
  // second.
  let stamp = Math.floor(Date.now() / 1_000)
  const write = () => {
    const file = paths(place.folder).users
    users.forEach((user, index) => {
      const home = homeOf(place.folder, user.address)
      if (existsSync(home)) return
      mkdirSync(home)
      chownSync(home, firstUid + index, firstUid + index)
    })
    writeFileSync(file, passwdFile(users, place.inside, firstUid))
    chmodSync(file, 0o644)
    stamp += 1
    utimesSync(file, stamp, stamp)
  }
  const set = (user: DovecotUser) => {
    users = users.some((known) => known.address === user.address)
      ? users.map((known) => (known.address === user.address ? user : known))
      : [...users, user]
    write()
  }
  return { write, set }
}

/** Writes a self-signed certificate for `localhost` and 127.0.0.1, and its key. */
export const makeCertificate = (at: { readonly certificate: string; readonly key: string }): void => {
  const args =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
  const result = spawnSync("openssl", [...args.split(" "), "-keyout", at.key, "-out", at.certificate], {
    encoding: "utf8"
  })
  if (result.status !== 0) throw new Error(`openssl: ${result.stderr}`)
}

const deliver = (port: number, address: string, rawMessage: string): Effect.Effect<void, PeerError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const lmtp = yield* RawSmtp.connect({ port })
      const replies = [
        yield* lmtp.reply,
        yield* lmtp.say("LHLO test.invalid"),
        yield* lmtp.say("MAIL FROM:<sender@example.test>"),
        yield* lmtp.say(`RCPT TO:<${address}>`)
      ]
      const refused = replies.find((reply) => reply.code >= 400)
      const last = refused ?? (yield* lmtp.data(rawMessage))
      if (last.code !== 250) return yield* failed(`delivery to ${address}: ${last.code} ${last.lines.join(" ")}`)
    })
  ).pipe(Effect.catchTag("RawSmtpError", (error) => Effect.fail(failed(`delivery to ${address}: ${error.message}`))))

/**
 * Removes a mailbox with its indexes but keeps the file with the highest UIDVALIDITY, like a server that deletes and
 * recreates a folder. The new UIDVALIDITY is then higher even within the same second.
 */
const emptyMailbox = (maildir: string): Effect.Effect<void, PeerError> =>
  Effect.suspend(() => {
    const script = 'find "$1" -mindepth 1 -maxdepth 1 ! -name "dovecot-uidvalidity*" -exec rm -rf {} +'
    const result = existsSync(maildir)
      ? spawnSync("sh", ["-c", script, "sh", maildir], { encoding: "utf8" })
      : { status: 0, stderr: "" }
    return result.status === 0 ? Effect.void : Effect.fail(failed(`emptying ${maildir}: ${result.stderr}`))
  })
