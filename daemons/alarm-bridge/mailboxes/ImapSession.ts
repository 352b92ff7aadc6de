/**
 * IMAP session with its folder opened read-only (EXAMINE), so it never marks or deletes mail. The session closes with
 * its scope. After a lost connection every request fails.
 */
import { type Duration, Effect, Latch, Redacted, type Scope } from "effect"
import type { ImapFlow, ImapFlowError } from "imapflow"
import { readFileSync } from "node:fs"
import { MailboxFailure } from "../intake/Errors.ts"
import type { MailboxSettings } from "./MailboxSettings.ts"

/** Longest time for DNS lookup, connection and TLS handshake. Unit: milliseconds. */
const connectTimeout = 20_000

/** Longest wait for the server's greeting. Unit: milliseconds. */
const greetingTimeout = 15_000

/**
 * Longest silence of the server during a command, or in IDLE before a connection check. Unit: milliseconds. Reason:
 * finds a silently lost connection within twice this time.
 */
const socketTimeout = 90_000

/** Part of each message that is fetched first. Unit: bytes. Reason: alarm mails are smaller. */
export const firstFetch = 256 * 1024

/**
 * Largest message that is fetched completely. Unit: bytes. Of larger ones only the first `firstFetch` bytes are read.
 */
export const maxFetch = 25 * 1024 * 1024

/** Limits for data from the server. Unit: bytes. A line can hold a search result of a million UIDs. */
const maxLine = 8 * 1024 * 1024
const maxResponse = maxFetch + maxLine

/** Longest server text in an error message. Unit: characters. */
const maxDetail = 200

export interface FetchedMail {
  readonly uid: number
  readonly internalDate: Date
  readonly source: Uint8Array
}

export interface ImapSession {
  readonly uidValidity: bigint
  readonly uidNext: number
  /** Whether the server supports IDLE. */
  readonly idles: boolean
  /** Sends NOOP, so that the server can report changes. */
  readonly noop: Effect.Effect<void, MailboxFailure>
  /** All UIDs from `first` on, ascending. */
  readonly uidsFrom: (first: number) => Effect.Effect<ReadonlyArray<number>, MailboxFailure>
  /**
   * Fetches these messages, ascending; messages larger than `maxFetch` only in part. Messages that the server does not
   * return are missing in the result.
   */
  readonly fetch: (uids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<FetchedMail>, MailboxFailure>
  /**
   * Fetches only the header of a message, for when its body cannot be read; undefined when the header is missing too.
   */
  readonly fetchHeader: (uid: number) => Effect.Effect<FetchedMail | undefined, MailboxFailure>
  /** Waits for new mail or another change, using IDLE if supported. True on a change, false after `atMost`. */
  readonly wait: (atMost: Duration.Duration) => Effect.Effect<boolean, MailboxFailure>
}

export const open = Effect.fnUntraced(function* (
  mailbox: MailboxSettings,
  password: Redacted.Redacted
): Effect.fn.Return<ImapSession, MailboxFailure, Scope.Scope> {
  const news = Latch.makeUnsafe(false)
  let pending = false
  let lost: unknown
  let closed = false
  const ring = () => {
    pending = true
    Latch.openUnsafe(news)
  }
  const client = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => makeClient(mailbox, password), catch: failureOf(mailbox.name) }),
    (client) => Effect.sync(() => client.close())
  )
  client.on("error", (error) => {
    lost ??= error
    ring()
  })
  client.on("close", () => {
    closed = true
    ring()
  })
  client.on("exists", ring)

  // IDLE also ends when we send a command. Only an end without our command counts as a change.
  let asked = true
  const ask = <A>(work: () => Promise<A>): Effect.Effect<A, MailboxFailure> =>
    Effect.tryPromise({
      try: () => {
        asked = true
        return work()
      },
      catch: (error) => failureOf(mailbox.name)(lost ?? error)
    })
  const idle = () => {
    asked = false
    const ended = () => {
      if (!asked) ring()
    }
    client.idle().then(ended, ended)
  }

  yield* ask(() => client.connect())
  const opened = yield* ask(() => client.mailboxOpen(mailbox.folder, { readOnly: true }))
  const status = opened.uidNext > 0 ? undefined : yield* ask(() => client.status(mailbox.folder, { uidNext: true }))
  const uidNext = status ? status.uidNext : opened.uidNext
  if (uidNext === undefined) {
    return yield* new MailboxFailure({
      reason: "CommandRefused",
      mailbox: mailbox.name,
      detail: "the server sends no UIDNEXT"
    })
  }

  const fetchWhole = (uid: number) =>
    ask(() => client.fetchOne(String(uid), { uid: true, source: { start: 0, maxLength: maxFetch } }, { uid: true }))

  return {
    uidValidity: opened.uidValidity,
    uidNext,
    idles: client.capabilities.has("IDLE"),
    noop: ask(() => client.noop()),
    uidsFrom: (first) =>
      Effect.flatMap(
        ask(() => client.search({ uid: `${first}:*` }, { uid: true })),
        (found) =>
          found === false || found === undefined
            ? Effect.fail(new MailboxFailure({ reason: "CommandRefused", mailbox: mailbox.name, detail: "UID SEARCH" }))
            : // `n:*` always includes the last message, even if its UID is below n.
              Effect.succeed(found.filter((uid) => uid >= first).sort((a, b) => a - b))
      ),
    fetch: Effect.fnUntraced(function* (uids) {
      const wanted = new Set(uids)
      const found = (yield* ask(() =>
        client.fetchAll(
          uids.join(","),
          { uid: true, size: true, internalDate: true, source: { start: 0, maxLength: firstFetch } },
          { uid: true }
        )
      )).filter((message) => wanted.has(message.uid) && message.source !== undefined)
      const mails: Array<FetchedMail> = []
      for (const message of found.sort((a, b) => a.uid - b.uid)) {
        const size = message.size ?? 0
        const whole = size > firstFetch && size <= maxFetch ? yield* fetchWhole(message.uid) : undefined
        mails.push({
          uid: message.uid,
          internalDate: new Date(message.internalDate ?? Date.now()),
          source: (whole ? whole.source : undefined) ?? message.source!
        })
      }
      return mails
    }),
    fetchHeader: (uid) =>
      Effect.map(
        ask(() => client.fetchOne(String(uid), { uid: true, internalDate: true, headers: true }, { uid: true })),
        (message) =>
          message === false || message === undefined || message.headers === undefined
            ? undefined
            : { uid, internalDate: new Date(message.internalDate ?? Date.now()), source: message.headers }
      ),
    wait: Effect.fnUntraced(function* (atMost) {
      if (client.capabilities.has("IDLE") && !pending && !client.idling) idle()
      const woken = yield* news.await.pipe(Effect.timeoutOption(atMost))
      if (closed || lost !== undefined) {
        return yield* failureOf(mailbox.name)(lost ?? new Error("the server closed the connection"))
      }
      if (woken._tag === "None") return false
      pending = false
      Latch.closeUnsafe(news)
      return true
    })
  }
})

/** Loads the library late: it takes some megabytes, and most processes watch no mailbox for alarms. */
const makeClient = async (mailbox: MailboxSettings, password: Redacted.Redacted): Promise<ImapFlow> => {
  const { ImapFlow } = await import("#protocols/imap-watch/LateImapFlow.ts")
  return new ImapFlow({
    host: mailbox.host,
    port: mailbox.port,
    secure: mailbox.tls === "implicit",
    ...(mailbox.tls === "implicit" ? {} : { doSTARTTLS: mailbox.tls === "starttls" }),
    tls: {
      rejectUnauthorized: mailbox.tlsVerify,
      ...(mailbox.ca === undefined ? {} : { ca: readFileSync(mailbox.ca) })
    },
    auth: { user: mailbox.user, pass: Redacted.value(password) },
    // The library's log lines would contain server text; our own messages are sufficient.
    logger: false,
    clientInfo: { name: "signalbox" },
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    connectionTimeout: connectTimeout,
    greetingTimeout,
    socketTimeout,
    maxLineLength: maxLine,
    maxLiteralSize: maxFetch + 1024,
    maxResponseSize: maxResponse
  })
}

/**
 * Converts an error of the library to a failure. The original must not be passed on, because it contains the commands
 * sent, passwords included.
 */
export const failureOf =
  (mailbox: string) =>
  (error: unknown): MailboxFailure => {
    const {
      authenticationFailed,
      code,
      mailboxMissing,
      message,
      responseStatus,
      responseText,
      serverResponseCode,
      tlsFailed
    } = (error ?? {}) as Partial<ImapFlowError>
    const fail = (reason: MailboxFailure["reason"], detail: string | undefined) =>
      new MailboxFailure({ reason, mailbox, detail: (detail ?? "").replace(/\s+/g, " ").slice(0, maxDetail) })
    // UNAVAILABLE (RFC 5530) means that the server's user database is away, not that the password is wrong.
    if (authenticationFailed === true && serverResponseCode !== "UNAVAILABLE")
      return fail("SignInRefused", responseText)
    if (mailboxMissing === true) return fail("FolderMissing", responseText)
    if (tlsFailed === true || unreachable.has(code ?? "")) return fail("Unreachable", message)
    if (responseStatus === "NO" || responseStatus === "BAD") return fail("CommandRefused", responseText)
    return fail("ConnectionLost", message)
  }

const unreachable = new Set([
  "CONNECT_TIMEOUT",
  "GREETING_TIMEOUT",
  "UPGRADE_TIMEOUT",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "ENOENT",
  "ClosedAfterConnectText",
  "ClosedAfterConnectTLS",
  "STARTTLS_INJECTION",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID"
])
